import { describe, expect, it } from '@jest/globals';
import { atMost } from './at-most.js';

describe('atMost', () => {
  it('counts each entry as one, so that the size of a cache is its number of entries', () => {
    const { maxSize, sizeCalculation } = atMost(3);
    expect([maxSize, sizeCalculation()]).toEqual([3, 1]);
  });
});
