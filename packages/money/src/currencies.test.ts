import { describe, expect, it } from '@jest/globals';
import { findCurrencyDecimals } from './currencies.js';

describe('findCurrencyDecimals', () => {
  it.each([
    ['usd', 2],
    ['EUR', 2],
    ['huf', 2],
    ['jpy', 0],
    ['KRW', 0],
    // As the card processor counts them, which ISO 4217 does not.
    ['isk', 2],
    ['ugx', 2],
    ['mga', 0],
    ['kwd', 3],
    ['BHD', 3],
    ['clf', 4],
  ])('returns the decimals of %s', (code, decimals) => {
    expect(findCurrencyDecimals(code)).toBe(decimals);
  });

  it.each(['xyz', 'zzz', 'us', 'usdd', '', 'xxx', 'xau', 'dem', '__proto__', 'toString'])(
    'does not know %j',
    (code) => {
      expect(findCurrencyDecimals(code)).toBeUndefined();
    },
  );

  it('has every currency that the runtime displays with other decimals, and lists none twice', () => {
    const shown = Intl.supportedValuesOf('currency').filter((code) => findCurrencyDecimals(code) !== undefined);
    expect(shown.length).toBeGreaterThan(150);
    for (const code of shown) expect(code).toMatch(/^[A-Z]{3}$/);
  });
});
