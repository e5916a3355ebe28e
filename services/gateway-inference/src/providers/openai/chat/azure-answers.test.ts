// Answers of Azure OpenAI with its content filter, as learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter documents them,
// read 2026-11-30.
import { describe, expect, it } from '@jest/globals';
import { play } from '../../../testing/stream-player.js';
import { ChatWire } from './chat-wire.js';

const wire = new ChatWire('openai', undefined, undefined);
const forward = {
  dialect: 'openai-chat',
  modelName: 'mine',
  betas: [],
  body: { stream_options: { include_usage: true } },
} as const;
const safe = { hate: { filtered: false, severity: 'safe' } };

/** A stream's first chunk has no choices and no model; its last ones have no output. */
const chunks = [
  {
    choices: [],
    created: 0,
    id: '',
    model: '',
    object: '',
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: safe }],
  },
  {
    choices: [{ content_filter_results: {}, delta: { role: 'assistant', content: '' }, index: 0 }],
    id: 'c-1',
    model: 'gpt-4.1',
  },
  {
    choices: [{ content_filter_results: safe, delta: { content: 'Hel' }, finish_reason: null, index: 0 }],
    id: 'c-1',
    model: 'gpt-4.1',
  },
  {
    choices: [{ content_filter_results: {}, delta: {}, finish_reason: 'content_filter', index: 0 }],
    id: 'c-1',
    model: 'gpt-4.1',
  },
  { choices: [], id: 'c-1', model: 'gpt-4.1', usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 } },
];
const stream = Buffer.from(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`);

describe("Azure's content filter", () => {
  it('refuses a prompt with its own code', () => {
    const error = {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      ...{ type: null, param: 'prompt', code: 'content_filter', status: 400 },
      innererror: {
        code: 'ResponsibleAIPolicyViolation',
        content_filter_result: { hate: { filtered: true, severity: 'high' } },
      },
    };
    const failure = wire.readFailure(400, { 'apim-request-id': 'az-1' }, JSON.stringify({ error }));
    expect(failure).toMatchObject({
      ...{ kind: 'response', status: 400, providerRequestId: 'az-1' },
      vendorError: { shape: 'openai', code: 'content_filter', param: 'prompt' },
    });
    expect(failure.detail).toContain('content management policy');
  });

  it('ends a stream with its reason and its usage', () => {
    const { text, answer, failure } = play(wire, stream);
    expect(failure).toBeUndefined();
    expect([text, answer?.stopReason, answer?.usage?.inputTokens]).toEqual(['Hel', 'content_filter', 8]);
  });

  it("keeps a forwarded stream under the client's name of the model", () => {
    const { forwarded, answer } = play(new ChatWire('openai', undefined, forward), stream);
    expect(
      new Set(forwarded.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data).model)),
    ).toEqual(new Set(['mine']));
    expect(answer?.usage?.outputTokens).toBe(2);
  });

  it('ends a plain answer with its reason', () => {
    const choice = {
      index: 0,
      message: { role: 'assistant', content: null },
      finish_reason: 'content_filter',
      content_filter_results: {},
    };
    const body = { id: 'c', choices: [choice], usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 } };
    expect(wire.readAnswer(body, JSON.stringify(body))).toMatchObject({ stopReason: 'content_filter', text: '' });
  });
});

describe('usage', () => {
  it.each([
    ['DeepSeek', { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }],
    ['Moonshot', { cached_tokens: 64 }],
    ['OpenAI', { prompt_tokens_details: { cached_tokens: 64 } }],
  ])('has the cached part of the prompt as %s reports it', (_, members) => {
    const body = { id: 'c', choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] };
    const usage = { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101, ...members };
    expect(wire.readAnswer({ ...body, usage }, '')?.usage).toMatchObject({
      inputTokens: 100,
      cacheReadInputTokens: 64,
    });
  });
});
