import { describe, expect, it } from '@jest/globals';
import { loadCatalog } from './load-catalog.js';
import { providerToolFee, reserveForTools, toolFeeTokens } from './provider-tools.js';
import { estimateInputTokens } from './token-estimates.js';

const catalog = loadCatalog({ sandbox: true });
const sonnet = catalog.find('claude-sonnet-5-5')!;

describe('fees of tools that a vendor runs', () => {
  it('converts fees to input tokens that cost exactly as much', () => {
    const tokens = toolFeeTokens(sonnet, { searches: 3 });
    // $10 for a thousand searches: 3 cents, at 200 cents for a million tokens.
    expect(tokens).toBe(15_000);
    expect((tokens * sonnet.input_cost_per_million_cents!) / 1_000_000).toBe(3);
    expect(toolFeeTokens(sonnet, {})).toBe(0);
  });

  it('rounds the fee of each kind up, never down', () => {
    const model = { ...sonnet, search_cost_per_thousand_cents: 7, code_run_cost_per_thousand_cents: 1 };
    expect(toolFeeTokens(model, { searches: 1, codeRuns: 1 })).toBe(35 + 5);
    expect(toolFeeTokens({ ...model, input_cost_per_million_cents: 300 }, { searches: 1 })).toBe(24);
    expect(toolFeeTokens({ ...model, input_cost_per_million_cents: 0 }, { searches: 1 })).toBe(0);
  });

  it.each(catalog.list().filter(({ capabilities }) => capabilities.includes('web_search')))(
    'has fees for searches and code runs of $model_id',
    (model) => {
      expect(providerToolFee(model, 'search')).toBeGreaterThan(0);
      expect(providerToolFee(model, 'code_run')).toBeDefined();
    },
  );

  it('reserves more than the fees of five searches and adds it to the estimate', () => {
    const plain = { messages: ['hi'] };
    const reserved = reserveForTools(sonnet, ['search']);
    expect(reserved).toBeGreaterThan(toolFeeTokens(sonnet, { searches: 5 }));
    const withTool = estimateInputTokens(sonnet, { ...plain, providerTools: ['search'] });
    expect(withTool).toBe(estimateInputTokens(sonnet, plain) + reserved);
  });

  it('reserves the text of five fetched pages, which have no fee', () => {
    expect(reserveForTools(sonnet, ['fetch'])).toBe(5 * 16_384);
    expect(reserveForTools(sonnet, ['search', 'fetch'])).toBe(
      reserveForTools(sonnet, ['search']) + reserveForTools(sonnet, ['fetch']),
    );
  });
});

describe('the cache that keeps a prompt for an hour', () => {
  it('costs exactly its price, together with the input price of the same tokens', () => {
    const tokens = 1_234;
    const charged = tokens + toolFeeTokens(sonnet, { cacheWriteHourTokens: tokens });
    expect(charged * sonnet.input_cost_per_million_cents!).toBe(tokens * sonnet.cache_write_1h_cost_per_million_cents!);
  });

  it('rounds its surcharge up, and has none without a price', () => {
    const model = { ...sonnet, cache_write_1h_cost_per_million_cents: 201 };
    expect(toolFeeTokens(model, { cacheWriteHourTokens: 1 })).toBe(1);
    const { cache_write_1h_cost_per_million_cents: _price, ...unpriced } = sonnet;
    expect(toolFeeTokens(unpriced, { cacheWriteHourTokens: 9 })).toBe(0);
  });

  it('reserves it for the whole prompt and the results of tools', () => {
    const input = { messages: ['hi'], providerTools: ['search' as const] };
    const plain = estimateInputTokens(sonnet, input);
    expect(estimateInputTokens(sonnet, { ...input, cachesForHour: true })).toBe(2 * plain);
  });

  it.each(catalog.list({ provider: 'anthropic' }))('has twice the input price for $model_id', (model) => {
    expect(model.cache_write_1h_cost_per_million_cents).toBe(2 * model.input_cost_per_million_cents!);
  });
});
