import { describe, expect, it } from '@jest/globals';
import { loadCatalog } from '@tollgate/catalog';
import { outputTokens } from './plan-admission.js';
import {
  AdmissionCatalog,
  costMicrocents,
  countedInputTokens,
  MARKUP_WHOLE,
  maxCostMicrocents,
  type Price,
  providerCostMicrocents,
  toMarkup,
  withMarkup,
} from './price.js';

/** One microcent per input token, three per output token. */
const price: Price = { inputPerMillionCents: 1n, outputPerMillionCents: 3n, perImageCents: 4n };
const used = { inputTokens: 100n, outputTokens: 10n, images: 0n };

describe('costMicrocents', () => {
  it('charges input, output and images at their prices', () => {
    expect(costMicrocents(price, used)).toBe(130n);
    expect(costMicrocents(price, { ...used, images: 2n })).toBe(130n + 8_000_000n);
  });

  it('charges cached input at its own price, else at that of input', () => {
    const cached = { ...used, cachedInputTokens: 40n };
    expect(costMicrocents({ ...price, cachedInputPerMillionCents: 0n }, cached)).toBe(90n);
    expect(costMicrocents(price, cached)).toBe(130n);
  });

  it('adds the fees of the provider with their markup, rounded up', () => {
    const withFee = { ...used, feeMicrocents: 101n };
    expect(costMicrocents(price, withFee)).toBe(231n);
    expect(costMicrocents({ ...price, feeMarkup: toMarkup(10) }, withFee)).toBe(130n + 112n);
  });
});

describe('maxCostMicrocents', () => {
  it('takes the bound of the prices, and the dearer one of input and cached input', () => {
    const bound = { inputPerMillionCents: 2n, outputPerMillionCents: 6n };
    expect(maxCostMicrocents({ ...price, bound }, used)).toBe(260n);
    expect(maxCostMicrocents({ ...price, cachedInputPerMillionCents: 5n }, used)).toBe(530n);
    expect(maxCostMicrocents({ ...price, cachedInputPerMillionCents: 0n }, { ...used, cachedInputTokens: 100n })).toBe(
      130n,
    );
  });
});

describe('providerCostMicrocents', () => {
  it('prefers the charge that the provider reports, also if it is zero', () => {
    expect(providerCostMicrocents(price, used)).toBe(130n);
    expect(providerCostMicrocents(price, { ...used, providerMicrocents: 7n })).toBe(7n);
    expect(providerCostMicrocents(price, { ...used, providerMicrocents: 0n })).toBe(0n);
  });
});

it('counts no tokens that only represent the fee of a tool', () => {
  expect(countedInputTokens({ ...used, toolFeeTokens: 30n })).toBe(70n);
});

it.each([
  [0, 0n, 100n],
  [100, MARKUP_WHOLE, 200n],
  [12.345678, 12_345_678n, 113n],
])('adds a markup of %p percent', (percentage, markup, expected) => {
  expect(toMarkup(percentage)).toBe(markup);
  expect(withMarkup(100n, markup)).toBe(expected);
});

const models = new AdmissionCatalog(loadCatalog({ sandbox: true }));

it.each([
  ['gpt-6-luna', undefined, { outputTokensWanted: 32_768n, outputTokensMin: 256n }],
  ['gpt-4.1-mini', undefined, { outputTokensWanted: 8_192n, outputTokensMin: 256n }],
  ['grok-4.3', undefined, { outputTokensWanted: 30_000n, outputTokensMin: 256n }],
  ['gpt-6-luna', 100, { outputTokensWanted: 100n, outputTokensMin: 100n }],
  ['gpt-6-luna', 1_000_000, { outputTokensWanted: 128_000n, outputTokensMin: 128_000n }],
])('bounds the held output of %s for %p tokens by the usual output and the model’s maximum', (id, named, held) => {
  expect(outputTokens(named, models.find(id)!.outputBounds)).toEqual(held);
});
