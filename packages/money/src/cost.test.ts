import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AmountError } from './amounts.js';
import { affordableOutputTokens, costOfImages, costOfTokens, maxCostOfTokens } from './cost.js';

const prices = { inputPricePerMillionCents: 250, outputPricePerMillionCents: 1000 };

const rows = [
  { name: 'nothing', usage: { inputTokens: 0, outputTokens: 0, ...prices }, microcents: 0n },
  { name: 'one input token', usage: { inputTokens: 1, outputTokens: 0, ...prices }, microcents: 250n },
  { name: 'one output token', usage: { inputTokens: 0, outputTokens: 1, ...prices }, microcents: 1000n },
  { name: 'a million of both', usage: { inputTokens: 1e6, outputTokens: 1e6, ...prices }, microcents: 1_250_000_000n },
  {
    name: 'cache counters without prices of their own cost the input price',
    usage: { inputTokens: 100, outputTokens: 0, cacheReadInputTokens: 60, cacheWriteInputTokens: 40, ...prices },
    microcents: 25_000n,
  },
  {
    name: 'cache reads and writes at their own prices',
    usage: {
      inputTokens: 100,
      outputTokens: 10,
      cacheReadInputTokens: 60,
      cacheWriteInputTokens: 30,
      cacheReadPricePerMillionCents: 25,
      cacheWritePricePerMillionCents: 312,
      ...prices,
    },
    microcents: 10n * 250n + 60n * 25n + 30n * 312n + 10n * 1000n,
  },
  {
    name: 'a cache price of zero is a price, not an absent one',
    usage: {
      inputTokens: 100,
      outputTokens: 0,
      cacheReadInputTokens: 100,
      cacheReadPricePerMillionCents: 0,
      ...prices,
    },
    microcents: 0n,
  },
];

const refused = [
  { name: 'negative tokens', usage: { inputTokens: -1, outputTokens: 0, ...prices } },
  { name: 'fractional tokens', usage: { inputTokens: 1.5, outputTokens: 0, ...prices } },
  { name: 'not a number', usage: { inputTokens: Number.NaN, outputTokens: 0, ...prices } },
  { name: 'unsafe number', usage: { inputTokens: 2 ** 53, outputTokens: 0, ...prices } },
  { name: 'negative price', usage: { inputTokens: 1, outputTokens: 0, ...prices, outputPricePerMillionCents: -1 } },
  {
    name: 'cache counters above the input',
    usage: { inputTokens: 10, outputTokens: 0, cacheReadInputTokens: 6, cacheWriteInputTokens: 5, ...prices },
  },
];

const tokens = fc.nat({ max: 10_000_000 });
const price = fc.nat({ max: 100_000 });
const usages = fc
  .record({ uncached: tokens, cacheRead: tokens, cacheWrite: tokens, outputTokens: tokens })
  .map(({ uncached, cacheRead, cacheWrite, outputTokens }) => ({
    inputTokens: uncached + cacheRead + cacheWrite,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
    outputTokens,
  }));
const tariffs = fc.record(
  {
    inputPricePerMillionCents: price,
    outputPricePerMillionCents: price,
    cacheReadPricePerMillionCents: price,
    cacheWritePricePerMillionCents: price,
  },
  { requiredKeys: ['inputPricePerMillionCents', 'outputPricePerMillionCents'] },
);

describe('costOfTokens', () => {
  it.each(rows)('computes the cost: $name', ({ usage, microcents }) => {
    expect(costOfTokens(usage)).toBe(microcents);
  });

  it.each(refused)('refuses $name', ({ usage }) => {
    expect(() => costOfTokens(usage)).toThrow(AmountError);
  });

  it('costs the same when a usage is split in two', () => {
    fc.assert(
      fc.property(usages, usages, tariffs, (a, b, tariff) => {
        const sum = {
          inputTokens: a.inputTokens + b.inputTokens,
          outputTokens: a.outputTokens + b.outputTokens,
          cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
          cacheWriteInputTokens: a.cacheWriteInputTokens + b.cacheWriteInputTokens,
        };
        expect(costOfTokens({ ...sum, ...tariff })).toBe(
          costOfTokens({ ...a, ...tariff }) + costOfTokens({ ...b, ...tariff }),
        );
      }),
    );
  });

  it('equals tokens × price / 1,000,000 cents exactly, beyond the range of doubles', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 60n), fc.bigInt(0n, 2n ** 60n), fc.bigInt(0n, 2n ** 40n), (input, output, p) => {
        const microcents = costOfTokens({
          inputTokens: input,
          outputTokens: output,
          inputPricePerMillionCents: p,
          outputPricePerMillionCents: p + 1n,
        });
        expect(microcents * 1_000_000n).toBe((input * p + output * (p + 1n)) * 1_000_000n);
      }),
    );
  });

  it('costs no more than the bound that a hold uses', () => {
    fc.assert(
      fc.property(usages, tariffs, (usage, tariff) => {
        expect(costOfTokens({ ...usage, ...tariff })).toBeLessThanOrEqual(maxCostOfTokens({ ...usage, ...tariff }));
      }),
    );
  });
});

describe('affordableOutputTokens', () => {
  it('gives the largest output that the funds cover', () => {
    fc.assert(
      fc.property(tokens, tariffs, fc.bigInt(0n, 10n ** 15n), (inputTokens, tariff, fundsMicrocents) => {
        const affordable = affordableOutputTokens({ fundsMicrocents, inputTokens, ...tariff });
        const cost = (outputTokens: bigint) => maxCostOfTokens({ inputTokens, outputTokens, ...tariff });
        if (affordable === undefined) {
          expect(tariff.outputPricePerMillionCents).toBe(0);
          return;
        }
        if (cost(0n) > fundsMicrocents) {
          expect(affordable).toBe(0n);
          return;
        }
        expect(cost(affordable)).toBeLessThanOrEqual(fundsMicrocents);
        expect(cost(affordable + 1n)).toBeGreaterThan(fundsMicrocents);
      }),
    );
  });

  it('returns 0 for an overdrawn account', () => {
    expect(affordableOutputTokens({ fundsMicrocents: -5n, inputTokens: 0, ...prices })).toBe(0n);
  });
});

describe('costOfImages', () => {
  it.each([
    [0, 4, 0n],
    [1, 4, 4_000_000n],
    [10, 13, 130_000_000n],
  ])('computes the cost of %i images at %i cents: %s microcents', (images, pricePerImageCents, microcents) => {
    expect(costOfImages({ images, pricePerImageCents })).toBe(microcents);
  });

  it('refuses a negative count', () => {
    expect(() => costOfImages({ images: -1, pricePerImageCents: 4 })).toThrow(AmountError);
  });
});
