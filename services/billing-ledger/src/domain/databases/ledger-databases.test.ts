import { describe, expect, it } from '@jest/globals';
import { chooseDatabase } from './ledger-databases.js';

describe('chooseDatabase', () => {
  it('spreads owners evenly, and in the same way for names in another order', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 3_000; i++) {
      const chosen = chooseDatabase(`owner ${i}`, ['a', 'b', 'c']);
      expect(chooseDatabase(`owner ${i}`, ['c', 'a', 'b', 'a'])).toBe(chosen);
      counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c']);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});
