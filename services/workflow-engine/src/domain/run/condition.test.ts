import { describe, expect, it } from '@jest/globals';
import { parseJson } from '../values/json.js';
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
    ['equals holds for the value at the pointer', output('equals', '/route', 'billing'), succeeded, true],
    ['equals does not hold for another value', output('equals', '/route', 'support'), succeeded, false],
    ['equals does not hold for a value of another type', output('equals', '/n', '1'), succeeded, false],
    ['equals holds for an object with its keys in any order', output('equals', '/o', { y: 2, x: 1 }), succeeded, true],
    ['equals holds for null', output('equals', '/list/0/a', null), succeeded, true],
    ['equals null does not hold for a missing member', output('equals', '/nope', null), succeeded, false],
    ['matches holds for a part of a text', output('matches', '/route', '^bil'), succeeded, true],
    ['matches holds for one of several alternatives', output('matches', '/route', 'support|billing'), succeeded, true],
    ['matches does not hold for a text without a match', output('matches', '/route', '^x'), succeeded, false],
    ['matches does not hold for a number', output('matches', '/n', '1'), succeeded, false],
    ['exists holds for an existing value, even null', output('exists', '/list/0/a'), succeeded, true],
    ['exists does not hold for a missing entry', output('exists', '/list/1'), succeeded, false],
    ['a condition on the output does not hold for a failed node', output('exists', ''), failed, false],
    ['a condition on the output does not hold for a skipped node', output('exists', ''), skipped, false],
    ['a condition on the status holds for the status', status('equals', '', 'succeeded'), succeeded, true],
    [
      'a condition on the status holds for the status at its pointer',
      status('equals', '/status', 'failed'),
      failed,
      true,
    ],
    ['a condition on the status holds for a skipped node', status('equals', '', 'canceled'), skipped, true],
    [
      'a condition on the status holds for the error code of a failed node',
      status('matches', '/error/code', 'TIMEOUT$'),
      failed,
      true,
    ],
    ['a condition on the status finds no error of a succeeded node', status('exists', '/error'), succeeded, false],
  ])('finds that %s', (_name, condition, end, expected) => {
    expect(holds(condition, end)).toBe(expected);
  });

  it.each([
    ['9007199254740993', '9007199254740993', true],
    ['9007199254740993', '9007199254740992', false],
    ['9007199254740993', '9007199254740993.0', true],
    ['[{"a":12345678901234567890}]', '[{"a":12345678901234567891}]', false],
    ['1', '1.0', true],
    ['100', '1e2', true],
    ['1e400', '10e399', true],
    ['1e400', '1e401', false],
    ['-0', '0', true],
    ['-1234567890123456789', '1234567890123456789', false],
    ['0.1', '0.100000000000000000001', false],
    ['1', 'true', false],
    ['9007199254740993', '"9007199254740993"', false],
    ['9007199254740993', '{}', false],
    ['[]', '{}', false],
    ['[1,2]', '[1]', false],
    ['{"a":1}', '{"b":1}', false],
    ['{"a":1}', '{"a":1,"b":1}', false],
    ['{"a":null}', '{"a":[]}', false],
  ])('compares %s with %s by all of their digits: %j', (left, right, expected) => {
    for (const [value, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const end: NodeEnd = { status: 'succeeded', output: parseJson(value) };
      expect(holds(output('equals', '', parseJson(other)), end)).toBe(expected);
    }
  });

  it('takes linear time for any pattern', () => {
    const end: NodeEnd = { status: 'succeeded', output: `${'a'.repeat(50_000)}!` };
    expect(holds(output('matches', '', '^(a+)+$'), end)).toBe(false);
  });

  it('rejects patterns that RE2 does not support', () => {
    expect(() => compilePattern('(?<=a)b')).toThrow();
    expect(() => compilePattern('(')).toThrow();
  });
});
