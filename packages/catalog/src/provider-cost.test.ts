import { describe, expect, it } from '@jest/globals';
import { loadCatalog } from './load-catalog.js';
import type { CatalogModel } from './model-record.js';
import {
  boundFeeMicrocents,
  boundRates,
  isServiceTierPriced,
  type ProviderUsage,
  pricedAt,
  providerCostMicrocents,
} from './provider-cost.js';

/** 200 cents in, 1,000 out, 20 read, 250 written for five minutes, 400 for an hour; 1 cent a search. */
const sonnet = loadCatalog({ sandbox: false }).find('claude-sonnet-5')!;
const model: CatalogModel = {
  ...sonnet,
  request_cost_per_thousand_cents: 500,
  long_context: { above_input_tokens: 1_000, input_cost_per_million_cents: 600, output_cost_per_million_cents: 1_500 },
  service_tiers: {
    flex: {
      input_cost_per_million_cents: 100,
      output_cost_per_million_cents: 500,
      cache_read_cost_per_million_cents: 10,
    },
    priority: {
      input_cost_per_million_cents: 700,
      output_cost_per_million_cents: 3_000,
      long_context: { above_input_tokens: 2_000, input_cost_per_million_cents: 900 },
    },
  },
};
const REQUEST = 500_000n;

describe('providerCostMicrocents', () => {
  it.each<[string, ProviderUsage, bigint]>([
    ['plain tokens', { inputTokens: 100, outputTokens: 10 }, 100n * 200n + 10n * 1_000n],
    ['cached reads', { inputTokens: 100, outputTokens: 0, cacheReadInputTokens: 90 }, 10n * 200n + 90n * 20n],
    ['a prompt written to a cache', { inputTokens: 100, outputTokens: 0, cacheWriteInputTokens: 100 }, 100n * 250n],
    [
      'writes for an hour',
      { inputTokens: 100, outputTokens: 0, cacheWriteInputTokens: 90, cacheWriteHourTokens: 60 },
      10n * 200n + 30n * 250n + 60n * 400n,
    ],
    ['a prompt at the threshold', { inputTokens: 1_000, outputTokens: 1 }, 1_000n * 200n + 1_000n],
    [
      'a long prompt, whose cached reads cost as ever',
      { inputTokens: 1_001, outputTokens: 1, cacheReadInputTokens: 1 },
      1_000n * 600n + 20n + 1_500n,
    ],
    ['a cheaper tier', { inputTokens: 100, outputTokens: 10, serviceTier: 'flex' }, 100n * 100n + 10n * 500n],
    ['a dearer tier', { inputTokens: 100, outputTokens: 10, serviceTier: 'priority' }, 100n * 700n + 10n * 3_000n],
    [
      'a long prompt of a tier',
      { inputTokens: 2_001, outputTokens: 10, serviceTier: 'priority' },
      2_001n * 900n + 10n * 3_000n,
    ],
    ['a tier without a price', { inputTokens: 100, outputTokens: 10, serviceTier: 'default' }, 30_000n],
    ['two searches', { inputTokens: 0, outputTokens: 0, searches: 2 }, 2_000_000n],
    [
      'counters that overlap',
      { inputTokens: 10, outputTokens: 0, cacheReadInputTokens: 8, cacheWriteInputTokens: 8 },
      660n,
    ],
  ])('charges %s', (_, usage, tokens) => {
    expect(providerCostMicrocents(model, usage)).toBe(tokens + REQUEST);
  });
});

describe('boundRates', () => {
  it.each<[object, bigint, bigint]>([
    [{ inputTokens: 1_000 }, 250n, 1_000n],
    [{ inputTokens: 1_000, cachesForHour: true }, 400n, 1_000n],
    [{ inputTokens: 1_001 }, 600n, 1_500n],
    [{ inputTokens: 10, serviceTier: 'flex' }, 250n, 1_000n],
    [{ inputTokens: 10, serviceTier: 'priority' }, 700n, 3_000n],
    [{ inputTokens: 2_001, serviceTier: 'priority' }, 900n, 3_000n],
  ])('returns the dearest rates of %j', (request, input, output) => {
    const rates = boundRates(model, request as { inputTokens: number });
    expect(rates).toEqual({ inputPerMillionCents: input, outputPerMillionCents: output });
  });
});

it('charges a long prompt at its prices in a service tier without an entry of its own', () => {
  const usage: ProviderUsage = { inputTokens: 2_000, outputTokens: 0 };
  expect(providerCostMicrocents(model, { ...usage, serviceTier: 'constructor' })).toBe(
    providerCostMicrocents(model, usage),
  );
});

it('finds the service tiers that have a price', () => {
  expect(isServiceTierPriced(model, 'priority')).toBe(true);
  expect(isServiceTierPriced(model, 'fast')).toBe(false);
  expect(isServiceTierPriced(model, 'constructor')).toBe(false);
  expect(isServiceTierPriced(sonnet, 'priority')).toBe(false);
});

describe('a route with its own prices', () => {
  const prices = {
    input_cost_per_million_cents: 300,
    search_cost_per_thousand_cents: 2_000,
    long_context: { above_input_tokens: 1_000, input_cost_per_million_cents: 800 },
  };
  const cheap = { input_cost_per_million_cents: 1, output_cost_per_million_cents: 1 };
  const routed: CatalogModel = {
    ...sonnet,
    routes: [
      { provider: 'anthropic', upstream_model: 'a' },
      { provider: 'anthropic', connection: 'aws', upstream_model: 'b', prices },
      { provider: 'anthropic', connection: 'relay', upstream_model: 'c', prices: cheap },
    ],
  };

  it.each([
    [0, 100n * 200n + 10n * 1_000n],
    [1, 100n * 300n + 10n * 1_000n],
    [2, 100n + 10n],
  ])('charges what route %d costs', (place, cost) => {
    const priced = pricedAt(routed, routed.routes[place]!.prices);
    expect(providerCostMicrocents(priced, { inputTokens: 100, outputTokens: 10 })).toBe(cost);
  });

  it('bounds a hold if it is the dearest', () => {
    const bound = (inputTokens: number) => boundRates(routed, { inputTokens });
    expect(bound(1_000)).toEqual({ inputPerMillionCents: 300n, outputPerMillionCents: 1_000n });
    expect(bound(1_001)).toEqual({ inputPerMillionCents: 800n, outputPerMillionCents: 1_000n });
    expect(boundFeeMicrocents(routed, { searches: 2 })).toBe(4_000_000n);
    expect(boundFeeMicrocents(sonnet, { searches: 2 })).toBe(2_000_000n);
  });
});
