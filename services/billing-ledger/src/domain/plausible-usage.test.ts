import { describe, expect, it } from '@jest/globals';
import type { HoldSnapshot } from './hold.js';
import { plausibleUse, REQUEST_MICROCENTS_MAX, TOKENS_PER_CALL_MAX } from './plausible-usage.js';
import type { Price } from './price.js';

const price = (inputPerMillionCents: bigint, outputPerMillionCents: bigint): Price => ({
  inputPerMillionCents,
  outputPerMillionCents,
  perImageCents: 4n,
});
const terms = {
  inputTokensEstimate: 10,
  maxOutputTokens: 90,
  images: 0,
  providerPrice: price(100n, 300n),
} as HoldSnapshot;
const used = (inputTokens: bigint, outputTokens: bigint, images = 0n) => ({ inputTokens, outputTokens, images });

describe('plausibleUse', () => {
  it.each([
    ['within the hold', used(10n, 20n)],
    ['beyond the hold', used(5_000n, 400n)],
    ['at the bound of a call', used(TOKENS_PER_CALL_MAX, TOKENS_PER_CALL_MAX)],
    ['of nothing', used(0n, 0n)],
  ])('keeps a report %s', (_, report) => {
    expect(plausibleUse(terms, report)).toEqual(report);
  });

  it.each([
    ['a quadrillion input tokens', used(10n ** 15n, 20n), used(10n, 20n)],
    ['the largest figures of the wire', used(2n ** 63n - 1n, 2n ** 63n - 1n), used(10n, 90n)],
    ['a negative figure', used(-5n, 20n), used(10n, 20n)],
    ['images that were not requested', used(10n, 20n, 2_000_000_000n), used(10n, 20n, 0n)],
  ])('replaces %s by the held figures', (_, report, settled) => {
    expect(plausibleUse(terms, report)).toMatchObject(settled);
  });

  it('counts a later model call of the turn as another call', () => {
    const extended = { ...terms, extensions: { 1: { inputTokens: 5, outputTokens: 5, heldMicrocents: '1' } } };
    const report = used(2n * TOKENS_PER_CALL_MAX, 20n);
    expect(plausibleUse(extended, report)).toEqual(report);
    expect(plausibleUse(extended, used(2n * TOKENS_PER_CALL_MAX + 1n, 20n))).toMatchObject(used(15n, 20n));
  });

  it('replaces a report whose cost is too high at the higher of both prices', () => {
    const dear = { ...terms, customerPrice: price(9_000_000_000n, 9_000_000_000n) };
    const report = used(REQUEST_MICROCENTS_MAX / 9_000_000_000n + 1n, 0n);
    expect(plausibleUse(terms, report)).toEqual(report);
    expect(plausibleUse(dear, report)).toMatchObject(used(10n, 0n));
  });
});
