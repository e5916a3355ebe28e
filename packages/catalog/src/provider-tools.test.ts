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
});
