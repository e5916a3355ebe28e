import { describe, expect, it } from '@jest/globals';
import { StaticAuthorizer } from './authorizers.js';
import { KeyPool } from './key-pool.js';

const key = (weight: number) => ({ authorizer: new StaticAuthorizer([`k${weight}`]), weight });

describe('keys of a connection', () => {
  it('takes an only key for every request', () => {
    const only = key(3);
    const pool = new KeyPool([only]);
    expect([pool.take().authorizer, pool.take().authorizer]).toEqual([only.authorizer, only.authorizer]);
  });

  it('distributes requests by weight, interleaved', () => {
    const pool = new KeyPool([key(3), key(1), key(2)]);
    const taken = Array.from({ length: 12 }, () => pool.take().weight);
    expect(taken.slice(0, 6)).toEqual([3, 2, 3, 1, 2, 3]);
    expect(taken.slice(6)).toEqual(taken.slice(0, 6));
  });
});
