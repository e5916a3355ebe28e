import { describe, expect, it } from '@jest/globals';
import { chainHash, computeSeal, type SealedMonth } from './journal-seal.js';

const MONTH: SealedMonth = {
  month: '2026-10-01',
  afterId: '10',
  lastId: '20',
  transfers: '10',
  transfersHash: 'aa',
  balances: '4',
  balancesHash: 'bb',
  previousSeal: '',
};

describe('chainHash', () => {
  it('returns another hash for other lines, another order and other lines before', () => {
    const hashes = [
      chainHash('', ['a', 'b']),
      chainHash('', ['b', 'a']),
      chainHash('', ['ab']),
      chainHash('', ['a']),
      chainHash(chainHash('', ['c']), ['a', 'b']),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(chainHash('', ['a', 'b'])).toBe(hashes[0]);
  });

  it('keeps the hash for an empty chunk', () => {
    expect(chainHash('aa', [])).toBe('aa');
  });
});

describe('computeSeal', () => {
  it('has the value that archives of earlier versions have', () => {
    expect(computeSeal(MONTH)).toBe('245cce918ea6949db837f430fd863ee92352dd9b0febc4070123671d1129a21d');
  });

  it.each(Object.keys(MONTH) as (keyof SealedMonth)[])('returns another seal for another %s', (key) => {
    expect(computeSeal({ ...MONTH, [key]: `${MONTH[key]}1` })).not.toBe(computeSeal(MONTH));
  });
});
