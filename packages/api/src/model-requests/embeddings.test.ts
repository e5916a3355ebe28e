import { describe, expect, it } from '@jest/globals';
import { embeddingsBody } from './embeddings.js';

const accepts = (input: unknown) => embeddingsBody.safeParse({ model: 'm', input }).success;

describe('embeddingsBody', () => {
  it.each([
    ['a text'],
    [['two', 'texts']],
    [[0, 1, Number.MAX_SAFE_INTEGER]],
    [[[1], [2, 3]]],
    [Array(199_000).fill(7)],
  ])('accepts the input %.40j', (input) => {
    expect(accepts(input)).toBe(true);
  });

  it.each([
    [''],
    [[]],
    [[-1]],
    [[1.5]],
    [[2 ** 53]],
    [['a', 1]],
    [[1, 'a']],
    [[[]]],
    [[[1], ['a']]],
    [[['a']]],
    [null],
  ])('rejects the input %j', (input) => {
    expect(accepts(input)).toBe(false);
  });

  it.each([
    ['300,000 tokens', Array(300_001).fill(1)],
    ['2,048 texts', Array(2_049).fill('x')],
    ['2,048 lists of tokens', Array(2_049).fill([1])],
  ])('rejects more than %s', (_what, input) => {
    expect(accepts(input)).toBe(false);
    expect(accepts(input.slice(1))).toBe(true);
  });

  it('names the element that is wrong', () => {
    const { error } = embeddingsBody.safeParse({ model: 'm', input: ['a', 1] });
    expect(JSON.stringify(error?.issues)).toContain('expected string, received number');
  });
});
