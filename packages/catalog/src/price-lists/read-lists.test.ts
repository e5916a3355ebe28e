import { describe, expect, it } from '@jest/globals';
import { readLitellm } from './read-litellm.js';
import { readModelsDev } from './read-models-dev.js';

const chat = {
  litellm_provider: 'mistral',
  mode: 'chat',
  max_input_tokens: 128_000,
  max_output_tokens: 8_192,
  input_cost_per_token: 4e-7,
  output_cost_per_token: 2e-6,
};
const readOne = (more: object, list = 'mistral') =>
  readLitellm({ 'mistral/m-1': { ...chat, ...more } }, list, '2026-11-30');

describe('a price list of LiteLLM', () => {
  it('becomes catalog entries by the name of the vendor', () => {
    const more = {
      supports_vision: true,
      supports_function_calling: true,
      supports_response_schema: true,
      supports_reasoning: true,
      cache_read_input_token_cost: 4e-8,
      cache_creation_input_token_cost: 5.01e-7,
      cache_creation_input_token_cost_above_1hr: 8e-7,
    };
    expect(readOne(more).models).toEqual([
      {
        model_id: 'm-1',
        capabilities: ['text', 'vision', 'tool_use', 'structured_output'],
        context_window: 128_000,
        max_output_tokens: 8_192,
        reasons: true,
        input_cost_per_million_cents: 40,
        output_cost_per_million_cents: 200,
        cache_read_cost_per_million_cents: 4,
        // A fraction of a cent is rounded up.
        cache_write_cost_per_million_cents: 51,
        cache_write_1h_cost_per_million_cents: 80,
      },
    ]);
  });

  it('has prices of long prompts and of service tiers', () => {
    const [model] = readOne({
      input_cost_per_token_above_200k_tokens: 8e-7,
      output_cost_per_token_above_200k_tokens: 4e-6,
      input_cost_per_token_priority: 1e-6,
      output_cost_per_token_priority: 5e-6,
      input_cost_per_token_above_200k_tokens_priority: 2e-6,
      input_cost_per_token_batches: 2e-7,
      output_cost_per_token_batches: 1e-6,
      input_cost_per_token_flex: 1e-7,
    }).models;
    expect(model).toMatchObject({
      long_context: {
        above_input_tokens: 200_000,
        input_cost_per_million_cents: 80,
        output_cost_per_million_cents: 400,
      },
      service_tiers: {
        priority: {
          input_cost_per_million_cents: 100,
          output_cost_per_million_cents: 500,
          long_context: { above_input_tokens: 200_000, input_cost_per_million_cents: 200 },
        },
        batch: { input_cost_per_million_cents: 20, output_cost_per_million_cents: 100 },
      },
    });
    // A tier without a price of output is not taken over.
    expect(model!.service_tiers).not.toHaveProperty('flex');
  });

  it('ends the window where the second of several long-prompt prices would begin', () => {
    const steps = { input_cost_per_token_above_32k_tokens: 5e-7, input_cost_per_token_above_128k_tokens: 6e-7 };
    expect(readOne(steps).models[0]).toMatchObject({ context_window: 32_000, input_cost_per_million_cents: 40 });
    const ranges = [
      { range: [0, 64_000], input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
      { range: [64_000, 128_000], input_cost_per_token: 3e-6, output_cost_per_token: 4e-6 },
    ];
    expect(readOne({ tiered_pricing: ranges }).models[0]).toMatchObject({
      context_window: 64_000,
      input_cost_per_million_cents: 100,
    });
  });

  it.each([
    [{ mode: 'rerank' }, 'mode rerank is not served'],
    [{ mode: 'video_generation' }, 'mode video_generation is not served'],
    [{ input_cost_per_token: undefined }, 'no price per token'],
    [{ input_cost_per_token: '1' }, 'no price per token'],
    [{ input_cost_per_token: 0, output_cost_per_token: 0 }, 'a price of 0'],
    [{ output_cost_per_reasoning_token: 1e-5 }, 'a price of reasoning of its own'],
    [{ max_input_tokens: undefined, max_tokens: undefined }, 'the list has no context window'],
    [{ mode: 'image_generation', input_cost_per_pixel: 1e-8 }, 'no price per image'],
  ])('names a model that is left out for %j', (more, reason) => {
    expect(readOne(more)).toEqual({ models: [], retired: [], skipped: [{ model_id: 'm-1', reason }] });
  });

  it('reads models of other units', () => {
    const speech = { mode: 'audio_speech', input_cost_per_character: 1.5e-5 };
    expect(readOne(speech).models[0]).toMatchObject({ serves: 'speech', metered_in: 'characters' });
    const heard = { mode: 'audio_transcription', input_cost_per_token: undefined, input_cost_per_second: 1e-4 };
    expect(readOne(heard).models[0]).toMatchObject({
      serves: 'transcription',
      metered_in: 'seconds',
      input_cost_per_million_cents: 10_000,
    });
    const image = { mode: 'image_generation', output_cost_per_image: 0.035 };
    expect(readOne(image).models[0]).toMatchObject({ capabilities: ['image_generation'], price_per_image_cents: 4 });
    expect(readOne({ mode: 'embedding' }).models[0]).toMatchObject({ serves: 'embeddings', max_output_tokens: 0 });
  });

  it('marks a model that the vendor will retire, and names a retired one', () => {
    const successor_model = 'mistral/m-2';
    expect(readOne({ deprecation_date: '2026-12-31', successor_model }).models[0]).toMatchObject({
      deprecated: true,
      deprecation_message: 'The vendor retires this model on 2026-12-31; use m-2.',
    });
    const retired = readOne({ deprecation_date: '2026-11-30', successor_model });
    expect(retired).toEqual({ models: [], skipped: [], retired: [{ model_id: 'm-1', use: 'm-2' }] });
  });

  it('joins a dated release with its undated model, unless their prices differ', () => {
    const file = {
      'mistral/m': chat,
      'mistral/m-20260101': chat,
      'mistral/m-20250101': { ...chat, input_cost_per_token: 1e-6 },
    };
    const { models } = readLitellm(file, 'mistral', '2026-11-30');
    expect(models.map(({ model_id: id, aliases }) => [id, aliases])).toEqual([
      ['m', ['m-20260101']],
      ['m-20250101', undefined],
    ]);
  });

  it('rejects an unknown vendor', () => {
    expect(() => readOne({}, 'unknown')).toThrow('unknown vendor unknown');
    expect(() => readModelsDev({}, 'unknown')).toThrow('unknown vendor unknown');
  });
});

describe('a price list of models.dev', () => {
  const entry = {
    id: 'm-1',
    name: 'M 1',
    reasoning: true,
    tool_call: true,
    structured_output: true,
    modalities: { input: ['text', 'image', 'pdf', 'audio'], output: ['text'] },
    limit: { context: 1_000_000, output: 64_000 },
    cost: {
      ...{ input: 1.25, output: 10, cache_read: 0.125, cache_write: 1.5, input_audio: 3 },
      context_over_200k: { input: 2.5, output: 15, cache_read: 0.25 },
    },
  };
  const read = (more: object) =>
    readModelsDev({ mistral: { id: 'mistral', models: { 'm-1': { ...entry, ...more } } } }, 'mistral');

  it('becomes catalog entries; audio that costs more than text is not offered', () => {
    expect(read({}).models).toEqual([
      {
        model_id: 'm-1',
        display_name: 'M 1',
        capabilities: ['text', 'vision', 'document', 'tool_use', 'structured_output'],
        context_window: 1_000_000,
        max_output_tokens: 64_000,
        reasons: true,
        input_cost_per_million_cents: 125,
        output_cost_per_million_cents: 1_000,
        cache_read_cost_per_million_cents: 13,
        cache_write_cost_per_million_cents: 150,
        audio_input_cost_per_million_cents: 300,
        long_context: {
          above_input_tokens: 200_000,
          input_cost_per_million_cents: 250,
          output_cost_per_million_cents: 1_500,
          cache_read_cost_per_million_cents: 25,
        },
      },
    ]);
  });

  it.each([
    [{ cost: undefined }, 'no price per token'],
    [{ cost: { input: 0, output: 0 } }, 'a price of 0'],
    [{ modalities: { input: ['text'], output: ['video'] } }, 'output is video'],
    [{ limit: {} }, 'the list has no context window'],
  ])('names a model that is left out for %j', (more, reason) => {
    expect(read(more)).toEqual({ models: [], retired: [], skipped: [{ model_id: 'm-1', reason }] });
  });
});
