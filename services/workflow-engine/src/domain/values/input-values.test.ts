import { describe, expect, it } from '@jest/globals';
import type { PlanInput } from '../plan/plan.js';
import { inputValues, isOfType } from './input-values.js';

const input = (name: string, more: Partial<PlanInput> = {}): PlanInput => ({
  name,
  type: 'json',
  required: false,
  ...more,
});

describe('the inputs of a run', () => {
  it('takes the values of the run, otherwise the default or null, and ignores undeclared values', () => {
    const declared = [input('a'), input('b', { default: 2 }), input('c'), input('d', { default: 4, required: true })];
    expect(inputValues(declared, { a: { x: 1 }, more: 1 })).toEqual({
      ok: true,
      values: { a: { x: 1 }, b: 2, c: null, d: 4 },
    });
  });

  it('reports all issues at once', () => {
    const declared = [input('a', { required: true }), input('b/c', { type: 'string' }), input('d', { type: 'array' })];
    const result = inputValues(declared, { 'b/c': 1, d: {} });
    expect(result.ok || result.issues.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'REQUIRED /input/a',
      'INVALID_VALUE /input/b~1c',
      'INVALID_VALUE /input/d',
    ]);
  });

  it('treats no input name as a member of the prototype', () => {
    expect(inputValues([input('toString')], {})).toEqual({ ok: true, values: { toString: null } });
  });
});

describe('types', () => {
  it.each<[PlanInput['type'], unknown, boolean]>([
    ['json', null, true],
    ['string', '', true],
    ['string', 1, false],
    ['number', 1.5, true],
    ['integer', 1.5, false],
    ['integer', 2, true],
    ['boolean', false, true],
    ['object', {}, true],
    ['object', [], false],
    ['array', [], true],
    ['null', null, true],
    ['null', 0, false],
  ])('decides for the type %s whether %j belongs to it: %s', (type, value, expected) => {
    expect(isOfType(value as never, type)).toBe(expected);
  });
});
