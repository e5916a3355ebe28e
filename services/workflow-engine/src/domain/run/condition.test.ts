import { describe, expect, it } from '@jest/globals';
import { type Condition, compilePattern, holds, type NodeEnd } from './condition.js';

const succeeded: NodeEnd = {
  status: 'succeeded',
  output: { route: 'billing', n: 1, list: [{ a: null }], o: { x: 1, y: 2 } },
};
const failed: NodeEnd = { status: 'failed', failure: { code: 'PROVIDER_TIMEOUT', message: 'late' } };
const skipped: NodeEnd = { status: 'canceled' };

const output = (op: Condition['op'], pointer: string, value?: Condition['value']): Condition => {
  return { source: 'node_output', op, pointer, ...(value !== undefined && { value }) };
};
const status = (op: Condition['op'], pointer: string, value?: Condition['value']): Condition => {
  return { ...output(op, pointer, value), source: 'node_status' };
};

describe('a condition', () => {
  it.each<[string, Condition, NodeEnd, boolean]>([
    ['equals the value at the place', output('equals', '/route', 'billing'), succeeded, true],
    ['does not equal another', output('equals', '/route', 'support'), succeeded, false],
    ['does not equal another type', output('equals', '/n', '1'), succeeded, false],
    ['equals whole objects in any key order', output('equals', '/o', { y: 2, x: 1 }), succeeded, true],
    ['equals null', output('equals', '/list/0/a', null), succeeded, true],
    ['does not equal null at a missing member', output('equals', '/nope', null), succeeded, false],
    ['matches a part of a text', output('matches', '/route', '^bil'), succeeded, true],
    ['matches one of several', output('matches', '/route', 'support|billing'), succeeded, true],
    ['does not match', output('matches', '/route', '^x'), succeeded, false],
    ['matches no number', output('matches', '/n', '1'), succeeded, false],
    ['finds what exists, null too', output('exists', '/list/0/a'), succeeded, true],
    ['does not find a missing entry', output('exists', '/list/1'), succeeded, false],
    ['on the output never holds of a failed node', output('exists', ''), failed, false],
    ['on the output never holds of a skipped node', output('exists', ''), skipped, false],
    ['on the status knows the word', status('equals', '', 'succeeded'), succeeded, true],
    ['on the status knows the word at its place', status('equals', '/status', 'failed'), failed, true],
    ['on the status knows a skipped node', status('equals', '', 'canceled'), skipped, true],
    ['on the status knows why it failed', status('matches', '/error/code', 'TIMEOUT$'), failed, true],
    ['on the status finds no error of a succeeded node', status('exists', '/error'), succeeded, false],
  ])('%s', (_name, condition, end, expected) => {
    expect(holds(condition, end)).toBe(expected);
  });

  it('takes linear time for any pattern', () => {
    const end: NodeEnd = { status: 'succeeded', output: `${'a'.repeat(50_000)}!` };
    const startedAt = performance.now();
    expect(holds(output('matches', '', '^(a+)+$'), end)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('rejects patterns that RE2 does not support', () => {
    expect(() => compilePattern('(?<=a)b')).toThrow();
    expect(() => compilePattern('(')).toThrow();
  });
});
