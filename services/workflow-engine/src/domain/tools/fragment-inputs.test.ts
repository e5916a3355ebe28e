import { describe, expect, it } from '@jest/globals';
import type { PlanInput } from '../plan/plan.js';
import type { Json } from '../values/json.js';
import { fragmentInputs } from './fragment-inputs.js';

describe('the inputs of a fragment', () => {
  const declared = (more: Partial<PlanInput> = {}): PlanInput => ({
    name: 'q',
    type: 'string',
    required: true,
    ...more,
  });
  it.each<[string, PlanInput, string, string, Json | undefined]>([
    ['by name', declared(), '/q', '{"q":"x"}', 'x'],
    ['by pointer', declared(), '/a/0/b', '{"a":[{"b":"x"}]}', 'x'],
    ['from the whole arguments', declared({ type: 'object' }), '', '{"z":1}', { z: 1 }],
    ['that is missing but required', declared(), '/q', '{}', undefined],
    ['that is missing with a default', declared({ default: 'd' }), '/q', '{}', 'd'],
    ['that is missing and optional', declared({ required: false }), '/q', '', null],
    ['of a wrong type', declared(), '/q', '{"q":1}', undefined],
    ['of arguments that are not an object', declared(), '/q', '[]', undefined],
    ['of arguments that are not JSON', declared(), '/q', '{', undefined],
  ])('evaluates an input %s', (_name, input, pointer, args, value) => {
    const inputs = fragmentInputs({ inputs: [input] }, { q: pointer }, args);
    expect(inputs.ok ? inputs.value.q : undefined).toEqual(value);
    expect(inputs.ok).toBe(value !== undefined);
  });
});
