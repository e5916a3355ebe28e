// Clients that use the dialect of the vendor that serves them get everything unchanged: the vendors' own libraries,
// unmodified, with fake servers that speak each vendor's wire format.
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeProvider, type Json, startFakeProvider, waitUntil } from '@tollgate/testkit';
import type OpenAI from 'openai';
import { anthropicClient, openAiClient } from '../system/library-clients.js';
import { parseEvents, rawAnswer, withoutCall } from '../system/raw-answer.js';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';
import { toVendorEnv } from '../system/vendor-env.js';

const CLAUDE = 'test/anthropic-1';
const GPT = 'test/openai-1';
/** Its first provider is Anthropic, its second one speaks another dialect. */
const EITHER = 'test/json-1';
const PRICE = { input: 200, output: 600 };
const THOUGHT = 'Let me see: two and two.';

let upstream: FakeProvider;
let system: System;
let project: TestProject;
let customer: TestCustomer;
let anthropic: Anthropic;
let openai: OpenAI;

beforeAll(async () => {
  upstream = await startFakeProvider({ apiKey: 'k-upstream' });
  system = await startSystem({
    mode: 'one process',
    env: {
      ...toVendorEnv(upstream),
      OPENAI_RESPONSES_API: '1',
    },
  });
  project = await system.project();
}, START_MS);

afterAll(async () => {
  await system?.stop();
  await upstream?.stop();
});

beforeEach(async () => {
  customer = await project.customerOn('free', {
    spendLimitCents: 100_000,
    tier: {
      models: [CLAUDE, GPT, EITHER].map((model_id, i) => ({
        model_id,
        is_default: i === 0,
        input_price_per_million_cents: PRICE.input,
        output_price_per_million_cents: PRICE.output,
      })),
    },
  });
  anthropic = anthropicClient(system, customer.token);
  openai = openAiClient(system, customer.token);
});

async function usage(): Promise<Json> {
  return must(await customer.api.get('/customers/me/usage'), 200).usage;
}

/** The last request to the vendor, and its path. */
function asked(): { endpoint: string; body: Json } {
  return upstream.requests.at(-1) as { endpoint: string; body: Json };
}

const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'hello there' }];
const thinks = { thinking: { type: 'adaptive' }, max_tokens: 2_000 } as const;
const cache_control = { type: 'ephemeral' } as const;

describe('client.messages at Anthropic', () => {
  it('marks content for caching, and reports and charges cache reads and writes', async () => {
    const cached = { cachedTokens: { read: 7, written: 3 } };
    upstream.next(cached, 2);
    const body = {
      model: CLAUDE,
      max_tokens: 50,
      system: [{ type: 'text' as const, text: 'A long prompt. '.repeat(20), cache_control }],
      messages,
      metadata: { user_id: 'u-1' },
      top_k: 5,
    };
    const plain = await anthropic.messages.create(body);
    expect(asked()).toMatchObject({ endpoint: 'POST /messages', body: { ...body, model: 'claude-opus-5' } });
    const streamed = await anthropic.messages.stream(body).finalMessage();
    for (const message of [plain, streamed]) {
      expect(message).toMatchObject({
        model: CLAUDE,
        usage: { cache_read_input_tokens: 7, cache_creation_input_tokens: 3 },
      });
    }
    const call = upstream.journal.entries().at(-1)!;
    const { input_tokens: apart, output_tokens: output } = plain.usage;
    expect([apart + 10, output]).toEqual([call.inputTokens, call.outputTokens]);
    expect((await usage()).total_cost_microcents).toBe(2 * ((apart + 10) * PRICE.input + output * PRICE.output));
  });

  it.each(['plain', 'streamed'])('gets signed thinking (%s), and can send it back unchanged', async (how) => {
    upstream.next({ thinking: THOUGHT });
    const body = { model: CLAUDE, ...thinks, messages };
    const first =
      how === 'plain' ? await anthropic.messages.create(body) : await anthropic.messages.stream(body).finalMessage();
    const [thought] = first.content;
    expect(thought).toMatchObject({
      type: 'thinking',
      thinking: THOUGHT,
      signature: expect.stringMatching(/^.{20,}$/),
    });
    const next: Anthropic.MessageParam[] = [
      ...messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: 'and?' },
    ];
    await anthropic.messages.create({ ...body, messages: next });
    expect(asked().body.messages).toEqual(next);
    expect(asked().body.thinking).toEqual(thinks.thinking);
  });

  it('accepts an image by its URL', async () => {
    const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://example.com/a.png' } };
    const content = [image, { type: 'text' as const, text: 'what is it?' }];
    await anthropic.messages.create({ model: CLAUDE, max_tokens: 9, messages: [{ role: 'user', content }] });
    expect(asked().body.messages).toEqual([{ role: 'user', content }]);
    await expect(
      anthropic.messages.create({ model: 'test/json-1', max_tokens: 9, messages: [{ role: 'user', content }] }),
    ).rejects.toMatchObject({ status: 400 });
  });

  it.each<[number, unknown, number, string]>([
    [429, Anthropic.RateLimitError, 429, 'rate_limit_error'],
    [529, Anthropic.InternalServerError, 529, 'overloaded_error'],
    [401, Anthropic.InternalServerError, 500, 'api_error'],
    [402, Anthropic.InternalServerError, 503, 'overloaded_error'],
  ])('fails with %i as every other route does', async (from, kind, status, type) => {
    for (const stream of [false, true]) {
      upstream.next({ status: from });
      const failure = await anthropic.messages
        .create({ model: CLAUDE, max_tokens: 9, messages, stream })
        .catch((e) => e);
      expect(failure).toBeInstanceOf(kind);
      expect(failure).toMatchObject({ status, error: { type: 'error', error: { type } } });
      expect(JSON.stringify(failure.error)).not.toMatch(/api.key|credit/i);
    }
    expect((await usage()).total_cost_microcents).toBe(0);
  });

  it('continues at a vendor of another dialect when Anthropic fails, in the client’s dialect', async () => {
    upstream.next({ status: 529 }, 1);
    const message = await anthropic.messages.stream({ model: EITHER, max_tokens: 50, messages }).finalMessage();
    expect(message).toMatchObject({ model: EITHER, content: [{ type: 'text', text: 'You said: hello there' }] });
    expect(asked().endpoint).toMatch(/generateContent|streamGenerateContent/i);
  });

  it('translates tool names with dots, which the vendor rejects', async () => {
    const tool = { name: 'weather.get', input_schema: { type: 'object' as const } };
    const body = { model: CLAUDE, max_tokens: 50, messages, tools: [tool], tool_choice: { type: 'any' as const } };
    const message = await anthropic.messages.create(body);
    expect(asked().body.tools).toMatchObject([{ name: 'weather_get' }]);
    expect(message.content).toMatchObject([{ type: 'tool_use', name: 'weather.get' }]);
  });
});

describe('client.responses at OpenAI', () => {
  it('forwards OpenAI-only fields with store: false and charges cached tokens', async () => {
    upstream.next({ cachedTokens: { read: 4, written: 0 } }, 2);
    const body = { model: GPT, input: 'hello there', prompt_cache_key: 'k-1', safety_identifier: 's-1' };
    const plain = await openai.responses.create(body);
    expect(asked()).toMatchObject({
      endpoint: 'POST /responses',
      body: { ...body, model: 'gpt-9', store: false, max_output_tokens: expect.any(Number) },
    });
    const streamed = await openai.responses.stream(body).finalResponse();
    for (const response of [plain, streamed]) {
      expect(response).toMatchObject({ model: GPT, usage: { input_tokens_details: { cached_tokens: 4 } } });
      expect(response.output_text).toBe('You said: hello there');
    }
    const { input_tokens: input, output_tokens: output } = plain.usage!;
    expect((await usage()).total_cost_microcents).toBe(2 * (input * PRICE.input + output * PRICE.output));
  });

  it('gets sealed reasoning, and can send it back unchanged', async () => {
    upstream.next({ thinking: THOUGHT });
    const body = {
      model: GPT,
      reasoning: { effort: 'low' as const },
      include: ['reasoning.encrypted_content' as const],
    };
    const first = await openai.responses.create({ ...body, input: 'hello there' });
    expect(first.output[0]).toMatchObject({ type: 'reasoning', encrypted_content: expect.stringMatching(/^.{20,}$/) });
    expect(first.usage?.output_tokens_details.reasoning_tokens).toBe(THOUGHT.length / 4);
    const input = [
      { role: 'user' as const, content: 'hello there' },
      ...first.output,
      { role: 'user' as const, content: 'and?' },
    ];
    await openai.responses.create({ ...body, input: input as OpenAI.Responses.ResponseInput });
    expect(asked().body.input).toEqual(input);
  });

  it('accepts an image by its URL', async () => {
    const image = { type: 'input_image' as const, image_url: 'https://example.com/a.png', detail: 'low' as const };
    const input = [{ role: 'user' as const, content: [image] }];
    await openai.responses.create({ model: GPT, input });
    expect(asked().body.input).toEqual(input);
    await openai.responses.create({ model: CLAUDE, input });
    const translated = { type: 'image', source: { type: 'url', url: image.image_url } };
    expect(asked().body.messages).toEqual([{ role: 'user', content: [translated] }]);
  });

  it.each([
    [429, 429],
    [500, 500],
    [402, 503],
  ])('fails with %i as every other route does', async (from, status) => {
    upstream.next({ status: from }, 2);
    await expect(openai.responses.create({ model: GPT, input: 'hi' })).rejects.toMatchObject({ status });
    await expect(openai.responses.create({ model: GPT, input: 'hi', stream: true })).rejects.toMatchObject({ status });
    expect((await usage()).total_cost_microcents).toBe(0);
  });

  it('ends a stream that breaks off with failure events in sequence, and charges it', async () => {
    upstream.next({ cutAfterTokens: 5, tokens: 30 });
    const text = await rawAnswer(`${system.stack.httpUrl}/v1/responses`, customer.token, {
      model: GPT,
      input: 'hi',
      stream: true,
    });
    const events = parseEvents(text);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, i) => i));
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['response.failed', 'error']);
    expect(events.at(-2)).toMatchObject({ response: { id: events[0]!.response.id, model: GPT, status: 'failed' } });
    expect((await usage()).total_cost_microcents).toBeGreaterThan(5 * PRICE.output);
  });
});

describe('the bytes of a stream', () => {
  const think = { thinking: THOUGHT, cachedTokens: { read: 2, written: 1 }, text: 'Grüße, 世界 👋 "model":"gpt-9"' };
  it.each([
    ['/v1/messages', CLAUDE, 'claude-opus-5', { ...thinks, messages, cache_control }],
    [
      '/v1/messages',
      CLAUDE,
      'claude-opus-5',
      { ...thinks, messages, cache_control, tools: [tool('input_schema')], tool_choice: { type: 'any' } },
    ],
    ['/v1/responses', GPT, 'gpt-9', { input: 'hi', reasoning: { effort: 'low' } }],
    ['/v1/responses', GPT, 'gpt-9', { input: 'hi', tools: [tool('parameters')], tool_choice: 'required' }],
  ])("passes the bytes of %s unchanged but for the model's name", async (path, ours, theirs, body) => {
    for (const stream of [true, false]) {
      upstream.next(think, 2);
      const passed = await rawAnswer(system.stack.httpUrl + path, customer.token, { ...body, model: ours, stream });
      const direct = await rawAnswer(upstream.anthropicBaseUrl + path, 'k-upstream', asked().body);
      expect(withoutCall(passed)).toBe(withoutCall(direct).replaceAll(JSON.stringify(theirs), JSON.stringify(ours)));
      expect(passed).toContain(JSON.stringify(ours));
    }
  });
});

describe('a reader that leaves in the middle of a stream', () => {
  it.each(['messages', 'responses'] as const)(
    'charges for what was delivered when a reader of %s leaves',
    async (kind) => {
      const text = 'say 300 tokens, slow 10 ms';
      let deltas = 0;
      if (kind === 'messages') {
        const stream = anthropic.messages.stream({
          model: CLAUDE,
          max_tokens: 500,
          messages: [{ role: 'user', content: text }],
        });
        for await (const { type } of stream) if (type === 'content_block_delta' && ++deltas === 5) break;
      } else {
        const stream = await openai.responses.create({ model: GPT, input: text, stream: true });
        for await (const { type } of stream) if (type === 'response.output_text.delta' && ++deltas === 5) break;
      }
      await waitUntil(async () => (await usage()).requests === 1, { what: 'the settlement' });
      const call = upstream.journal.entries().at(-1)!;
      expect(call.outcome).toBe('client_gone');
      const billed = ((await usage()).total_cost_microcents - call.inputTokens * PRICE.input) / PRICE.output;
      expect(billed).toBeGreaterThanOrEqual(5);
      expect(billed).toBeLessThanOrEqual(call.outputTokens);
    },
  );

  it('leaves no funds reserved', async () => {
    await waitUntil(async () => (await project.verify()).open_holds === 0, {
      what: 'every hold to end',
    });
    expect((await project.verify()).differences).toEqual([]);
  });
});

function tool(schema: 'input_schema' | 'parameters'): object {
  const kind = schema === 'parameters' ? { type: 'function' } : {};
  const model = { type: 'string', enum: ['gpt-9'] };
  return { ...kind, name: 'pick', [schema]: { type: 'object', properties: { model }, required: ['model'] } };
}
