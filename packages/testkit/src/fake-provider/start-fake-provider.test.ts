import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI, { APIConnectionError, APIError } from 'openai';
import { request } from 'undici';
import { waitUntil } from '../wait-until.js';
import { type FakeProvider, startFakeProvider } from './start-fake-provider.js';

// The unmodified client library of the vendor judges the wire format.
let fake: FakeProvider;
let openai: OpenAI;

beforeAll(async () => {
  fake = await startFakeProvider({ models: ['fake-1', 'fake-2'] });
  openai = new OpenAI({ baseURL: fake.baseUrl, apiKey: 'any', maxRetries: 0 });
});
afterAll(() => fake.stop());
beforeEach(() => fake.always({}));

const user = (content: string) => ({ role: 'user' as const, content });
const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
};

function lastCall() {
  return fake.journal.entries().at(-1)!;
}

describe('chat completions', () => {
  it('answers the same to the same request, with usage by the documented rule', async () => {
    const ask = () => openai.chat.completions.create({ model: 'm', messages: [user('hello')] });
    const [first, second] = [await ask(), await ask()];
    expect(first.choices[0]).toMatchObject({
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'You said: hello' },
    });
    expect(first.usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 });
    expect({ ...second, id: first.id, created: first.created }).toEqual({ ...first });
    expect(second.id).not.toBe(first.id);
    expect(lastCall()).toMatchObject({
      status: 200,
      inputTokens: 6,
      outputTokens: 4,
      outcome: 'completed',
      stream: false,
    });
  });

  it('streams one chunk per token and the usage in a last chunk when asked for', async () => {
    const stream = await openai.chat.completions.create({
      model: 'm',
      messages: [user('say 5 tokens')],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    const pieces = chunks.map((chunk) => chunk.choices[0]?.delta.content).filter(Boolean);
    expect(pieces).toEqual(['w00 ', 'w01 ', 'w02 ', 'w03 ', 'w04 ']);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 5 } });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(lastCall()).toMatchObject({ outputTokens: 5, outcome: 'completed', stream: true });
  });

  it('sends no usage when it is not asked for, or when told to leave it out', async () => {
    for (const [text, include] of [
      ['say 2 tokens', false],
      ['say 2 tokens without usage', true],
    ] as const) {
      const stream = await openai.chat.completions.create({
        model: 'm',
        messages: [user(text)],
        stream: true,
        stream_options: include ? { include_usage: true } : undefined,
      });
      for await (const chunk of stream) expect(chunk.usage ?? null).toBeNull();
    }
    const plain = await openai.chat.completions.create({ model: 'm', messages: [user('hi without usage')] });
    expect(plain.usage).toBeUndefined();
  });

  it('calls the tool that is asked for and answers with its result', async () => {
    const first = await openai.chat.completions
      .stream({ model: 'm', messages: [user('call tool weather with {"city":"Graz"}')], tools: [weather] })
      .finalChatCompletion();
    const call = first.choices[0]?.message.tool_calls?.[0];
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    expect(call).toMatchObject({ type: 'function', function: { name: 'weather', arguments: '{"city":"Graz"}' } });
    const second = await openai.chat.completions.create({
      model: 'm',
      tools: [weather],
      messages: [
        user('call tool weather'),
        first.choices[0]!.message,
        { role: 'tool', tool_call_id: call!.id, content: 'sunny' },
      ],
    });
    expect(second.choices[0]?.message.content).toBe('The tool said: sunny');
  });

  it('invents arguments from the schema when a call is forced', async () => {
    const answer = await openai.chat.completions.create({
      model: 'm',
      messages: [user('hello')],
      tools: [weather],
      tool_choice: 'required',
    });
    const call = answer.choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({ city: 'sample', days: 1 });
    expect(answer.choices[0]?.message.content).toBeNull();
  });

  it('gives a document that conforms to a json_schema format', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
    };
    const answer = await openai.chat.completions.create({
      model: 'm',
      messages: [user('hello')],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ ok: true, tags: ['a'] });
  });

  it('honours the token limit and stop sequences', async () => {
    const limited = await openai.chat.completions.create({
      model: 'm',
      messages: [user('say 9 tokens')],
      max_tokens: 4,
    });
    expect(limited.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'w00 w01 w02 w03 ' } });
    expect(limited.usage?.completion_tokens).toBe(4);
    const stopped = await openai.chat.completions.create({
      model: 'm',
      messages: [user('say 9 tokens')],
      stop: ['w02'],
    });
    expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'w00 w01 ' } });
  });
});

describe('misbehaviour', () => {
  it.each([
    ['fail with 429', 429, 'rate_limit_exceeded'],
    ['fail with 500', 500, null],
    ['fail with 402', 402, 'insufficient_quota'],
    ['fail with 503', 503, null],
  ])('%p is refused with %i', async (text, status, code) => {
    for (const stream of [false, true]) {
      const error = await openai.chat.completions
        .create({ model: 'm', messages: [user(text)], stream })
        .catch((e) => e);
      expect(error).toBeInstanceOf(APIError);
      expect([error.status, error.code, error.requestID]).toEqual([status, code, expect.stringMatching(/^req_fake_/)]);
      expect(lastCall()).toMatchObject({ status, inputTokens: 0, outputTokens: 0, outcome: 'refused' });
    }
  });

  it('says when to come back', async () => {
    const error = await openai.chat.completions
      .create({ model: 'm', messages: [user('fail with 429, retry after 7')] })
      .catch((e) => e);
    expect(error.headers.get('retry-after')).toBe('7');
  });

  it('breaks a stream after the tokens asked for, all of which arrive', async () => {
    const stream = await openai.chat.completions.create({
      model: 'm',
      messages: [user('cut after 4 tokens of say 9 tokens')],
      stream: true,
    });
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const chunk of stream)
        if (chunk.choices[0]?.delta.content) pieces.push(chunk.choices[0].delta.content);
    })();
    await expect(reading).rejects.toThrow();
    expect(pieces.length).toBe(4);
    expect(lastCall()).toMatchObject({ outputTokens: 4, outcome: 'cut' });
  });

  it('breaks a plain answer half-way', async () => {
    await expect(openai.chat.completions.create({ model: 'm', messages: [user('fail with cut')] })).rejects.toThrow();
    expect(lastCall().outcome).toBe('cut');
  });

  it('sends what is no JSON', async () => {
    await expect(
      openai.chat.completions.create({ model: 'm', messages: [user('fail with malformed')] }),
    ).rejects.toThrow();
    const { body } = await chat({ stream: true, messages: [user('fail with malformed, say 4 tokens')] });
    expect(await body.text()).toContain('data: {"id":"chatcmpl-fa\n\n');
  });

  it('stays silent until the client gives up', async () => {
    const client = new OpenAI({ baseURL: fake.baseUrl, apiKey: 'any', maxRetries: 0, timeout: 50 });
    await expect(client.chat.completions.create({ model: 'm', messages: [user('fail with timeout')] })).rejects.toThrow(
      APIConnectionError,
    );
    await waitUntil(() => lastCall().outcome === 'client_gone', { what: 'the fake to see the client gone' });
    expect(lastCall()).toMatchObject({ status: 0, inputTokens: 0, outputTokens: 0 });
  });

  it('journals what was written before the client vanished', async () => {
    const stream = await openai.chat.completions.create(
      { model: 'm', messages: [user('say 50 tokens, hang mid-stream')], stream: true },
      { headers: { 'x-client-request-id': 'req-abc' } },
    );
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    const [entry] = fake.journal.entriesOf('req-abc');
    await waitUntil(() => entry?.outcome === 'client_gone', { what: 'the fake to see the client gone' });
    expect(entry).toMatchObject({ status: 200, outputTokens: 1, stream: true });
    expect(entry!.inputTokens).toBeGreaterThan(0);
  });

  it('waits before the first token and between tokens', async () => {
    const started = performance.now();
    await openai.chat.completions.create({ model: 'm', messages: [user('say 3 tokens, wait 30 ms, slow 10 ms')] });
    expect(performance.now() - started).toBeGreaterThanOrEqual(49);
    const { body } = await chat({ stream: true, messages: [user('say 3 tokens, wait 30 ms, slow 10 ms')] });
    await body.text();
    expect(performance.now() - started).toBeGreaterThanOrEqual(98);
  });

  it('can be set from the test instead of the text, for the next requests only or for all', async () => {
    fake.next({ status: 503 });
    fake.always({ text: 'standing' });
    const ask = () => openai.chat.completions.create({ model: 'm', messages: [user('hello')] });
    await expect(ask()).rejects.toMatchObject({ status: 503 });
    expect((await ask()).choices[0]?.message.content).toBe('standing');
  });
});

describe('other endpoints', () => {
  it('streams the Responses API with named, numbered events', async () => {
    const events = [];
    for await (const event of await openai.responses.create({ model: 'm', input: 'say 3 tokens', stream: true }))
      events.push(event);
    expect(events.map((event) => event.type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(lastCall()).toMatchObject({ endpoint: 'POST /responses', outputTokens: 3 });
  });

  it('answers the Responses API plainly, with tools and a token limit', async () => {
    const text = await openai.responses.create({ model: 'm', instructions: 'be brief', input: 'hi' });
    expect(text.output_text).toBe('You said: hi');
    expect(text.usage).toMatchObject({ input_tokens: 2 + 4 + 1 + 4, output_tokens: 3 });
    const cut = await openai.responses.create({ model: 'm', input: 'say 9 tokens', max_output_tokens: 2 });
    expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    const tool = await openai.responses.create({
      model: 'm',
      input: 'call tool weather',
      tools: [{ type: 'function', name: 'weather', parameters: weather.function.parameters, strict: false }],
    });
    expect(tool.output[0]).toMatchObject({
      type: 'function_call',
      name: 'weather',
      arguments: '{"city":"sample","days":1}',
    });
  });

  it('lists models, embeds texts and draws images', async () => {
    expect((await openai.models.list()).data.map((model) => model.id)).toEqual(['fake-1', 'fake-2']);
    const embeddings = await openai.embeddings.create({ model: 'm', input: ['one', 'two', 'one'] });
    expect(embeddings.data[0]?.embedding).toEqual(embeddings.data[2]?.embedding);
    expect(embeddings.data[0]?.embedding).not.toEqual(embeddings.data[1]?.embedding);
    expect(embeddings.usage.prompt_tokens).toBe(3);
    const images = await openai.images.generate({ model: 'm', prompt: 'a cat', n: 2 });
    expect(images.data?.map((image) => Buffer.from(image.b64_json!, 'base64').subarray(1, 4).toString())).toEqual([
      'PNG',
      'PNG',
    ]);
  });

  it('answers 404 elsewhere and 400 to what it cannot read', async () => {
    expect((await request(`${fake.baseUrl}/nowhere`, { method: 'POST', body: '{}' })).statusCode).toBe(404);
    expect((await request(`${fake.baseUrl}/chat/completions`, { method: 'POST', body: '{' })).statusCode).toBe(400);
    expect((await request(`${fake.baseUrl}/chat/completions`, { method: 'POST', body: '{}' })).statusCode).toBe(400);
  });

  it('records requests as they came', async () => {
    await openai.chat.completions.create({ model: 'm', messages: [user('recorded')], temperature: 0.5 });
    expect(fake.requests.at(-1)).toMatchObject({
      endpoint: 'POST /chat/completions',
      headers: { authorization: 'Bearer any' },
      body: { temperature: 0.5, messages: [{ content: 'recorded' }] },
    });
  });
});

describe('lifecycle', () => {
  it('refuses a wrong key when it has one', async () => {
    const guarded = await startFakeProvider({ apiKey: 'right' });
    const ask = (apiKey: string) => new OpenAI({ baseURL: guarded.baseUrl, apiKey, maxRetries: 0 }).models.list();
    await expect(ask('wrong')).rejects.toMatchObject({ status: 401 });
    await expect(ask('right')).resolves.toBeDefined();
    await guarded.stop();
  });

  it('stops under running calls', async () => {
    const other = await startFakeProvider();
    const call = new OpenAI({ baseURL: other.baseUrl, apiKey: 'any', maxRetries: 0 }).chat.completions
      .create({ model: 'm', messages: [user('fail with timeout')] })
      .catch((error: unknown) => error);
    await waitUntil(() => other.journal.entries().length === 1, { what: 'the call' });
    await other.stop();
    expect(await call).toBeInstanceOf(APIConnectionError);
  });
});

function chat(body: object) {
  return request(`${fake.baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) });
}
