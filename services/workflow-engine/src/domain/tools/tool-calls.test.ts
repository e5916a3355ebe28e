import { describe, expect, it } from '@jest/globals';
import { isSameResults, judgeResults } from './tool-calls.js';

const call = (id: string) => ({ tool_call_id: id, name: 'f', arguments: '{}' });
const result = (id: string, output = '1') => ({ tool_call_id: id, name: 'f', output });

describe('judgeResults', () => {
  it.each([
    ['every call answered', ['a', 'b'], ['b', 'a'], undefined],
    ['an unknown call', ['a'], ['a', 'x'], 'no pending tool call x'],
    ['only some of the calls', ['a', 'b'], ['a'], 'no result for tool call b'],
    ['one call answered twice', ['a', 'b'], ['a', 'a'], 'two results for tool call a'],
  ])('judges results with %s', (_name, calls, results, fault) => {
    expect(
      judgeResults(
        calls.map(call),
        results.map((id) => result(id)),
      ),
    ).toBe(fault);
  });
});

describe('isSameResults', () => {
  it('does not mind the order, but every word', () => {
    expect(isSameResults([result('a'), result('b')], [result('b'), result('a')])).toBe(true);
    expect(isSameResults([result('a')], [result('a', '2')])).toBe(false);
    expect(isSameResults([result('a')], [result('a'), result('a')])).toBe(false);
  });
});
