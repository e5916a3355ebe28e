import { describe, expect, it } from '@jest/globals';
import { loadCatalog } from './load-catalog.js';
import { modalityFeeTokens, NO_TOKENS } from './modality-fees.js';

const catalog = loadCatalog({ sandbox: true });
const model = catalog.find('gpt-realtime-1.5')!;
const nothing = { input: NO_TOKENS, cached: NO_TOKENS, output: NO_TOKENS };

describe('what audio and images cost above text', () => {
  it('counts as input tokens that cost exactly as much', () => {
    // $32 for a million tokens of speech, of which $4 are the price of text: seven tokens of text for each.
    expect(modalityFeeTokens(model, { ...nothing, input: { ...NO_TOKENS, audio: 1_000 } })).toBe(7_000);
    // $64 instead of $16 for speech that is written, in input tokens of $4.
    expect(modalityFeeTokens(model, { ...nothing, output: { ...NO_TOKENS, audio: 1_000 } })).toBe(12_000);
    // $5 instead of $4 for images.
    expect(modalityFeeTokens(model, { ...nothing, input: { ...NO_TOKENS, image: 1_000 } })).toBe(250);
  });

  it('costs nothing for text and for cached tokens', () => {
    const text = { text: 1_000, audio: 0, image: 0 };
    expect(modalityFeeTokens(model, { input: text, cached: text, output: text })).toBe(0);
    const audio = { ...NO_TOKENS, audio: 1_000 };
    expect(modalityFeeTokens(model, { ...nothing, input: audio, cached: audio })).toBe(0);
  });

  it('rounds up once, never down', () => {
    const mini = catalog.find('gpt-realtime-mini')!;
    expect(modalityFeeTokens(mini, { ...nothing, input: { ...NO_TOKENS, audio: 3 } })).toBe(47);
    expect(modalityFeeTokens(mini, { ...nothing, input: { ...NO_TOKENS, audio: 1 } })).toBe(16);
  });

  it('costs nothing for a model without such prices, or without a price of text', () => {
    const audio = { ...nothing, input: { ...NO_TOKENS, audio: 10 } };
    expect(modalityFeeTokens(catalog.find('sandbox/echo-1')!, audio)).toBe(0);
    expect(modalityFeeTokens({ ...model, input_cost_per_million_cents: 0 }, audio)).toBe(0);
  });

  it.each(catalog.list().filter(({ serves }) => serves === 'realtime'))('has prices for $model_id', (each) => {
    expect(each.audio_input_cost_per_million_cents).toBeGreaterThan(each.input_cost_per_million_cents!);
    expect(each.audio_output_cost_per_million_cents).toBeGreaterThan(each.output_cost_per_million_cents!);
    expect(each.image_input_cost_per_million_cents).toBeGreaterThan(each.input_cost_per_million_cents!);
  });
});
