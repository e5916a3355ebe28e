import { describe, expect, it } from '@jest/globals';
import { loadCatalog } from './load-catalog.js';
import { providerFeeMicrocents } from './provider-cost.js';
import { providerToolFee, reservedToolUses, reserveForResults } from './provider-tools.js';
import { estimateInputTokens } from './token-estimates.js';

const catalog = loadCatalog({ sandbox: true });
const sonnet = catalog.find('claude-sonnet-5-5')!;

describe('fees of tools that a vendor runs', () => {
  it('counts fees exactly at any price of a token', () => {
    // $10 for a thousand searches.
    expect(providerFeeMicrocents(sonnet, { searches: 3 })).toBe(3_000_000n);
    expect(providerFeeMicrocents(sonnet, {})).toBe(0n);
    const model = { ...sonnet, search_cost_per_thousand_cents: 7, code_run_cost_per_thousand_cents: 1 };
    expect(providerFeeMicrocents({ ...model, input_cost_per_million_cents: 0 }, { searches: 1, codeRuns: 1 })).toBe(
      8_000n,
    );
  });

  it.each(catalog.list().filter(({ capabilities }) => capabilities.includes('web_search')))(
    'has fees for searches and code runs of $model_id',
    (model) => {
      expect(providerToolFee(model, 'search')).toBeGreaterThan(0);
      expect(providerToolFee(model, 'code_run')).toBeDefined();
    },
  );

  it('reserves five searches and adds their results to the estimate', () => {
    const plain = { messages: ['hi'] };
    expect(reservedToolUses(['search', 'fetch'])).toEqual({ searches: 5, codeRuns: 0 });
    expect(reservedToolUses(['code_run'])).toEqual({ searches: 0, codeRuns: 3 });
    const reserved = reserveForResults(['search']);
    const withTool = estimateInputTokens(sonnet, { ...plain, providerTools: ['search'] });
    expect(withTool).toBe(estimateInputTokens(sonnet, plain) + reserved);
  });

  it('reserves the text of five fetched pages, which have no fee', () => {
    expect(reserveForResults(['fetch'])).toBe(5 * 16_384);
    expect(reserveForResults(['search', 'fetch'])).toBe(2 * 5 * 16_384);
  });
});

describe('the cache that keeps a prompt for an hour', () => {
  it.each(catalog.list({ provider: 'anthropic' }))('has twice the input price for $model_id', (model) => {
    expect(model.cache_write_1h_cost_per_million_cents).toBe(2 * model.input_cost_per_million_cents!);
  });
});
