import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { request } from 'undici';
import { type FakeProvider, startFakeProvider } from './start-fake-provider.js';

// Checks the wire format with the vendor's unmodified client library.
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

  it('sends no usage unless it is requested and not suppressed', async () => {
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

  it('calls the requested tool and answers with its result', async () => {
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

  it('generates arguments from the schema when a tool call is required', async () => {
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

  it('returns a document that conforms to a json_schema format', async () => {
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

  it('applies the token limit and stop sequences', async () => {
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

  it('embeds token lists, in the requested dimensions', async () => {
    const { data, usage } = await openai.embeddings.create({ model: 'm', input: [[1, 2], [3]], dimensions: 5 });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([5, 5]);
    expect(usage.prompt_tokens).toBe(2);
  });

  it('serves speech, transcriptions and translations', async () => {
    const speech = await openai.audio.speech.create({
      model: 'm',
      voice: 'alloy',
      input: 'héllo',
      response_format: 'wav',
    });
    expect([speech.headers.get('content-type'), await speech.text()]).toEqual(['audio/wav', 'wav of alloy: héllo']);
    expect(lastCall()).toMatchObject({ endpoint: 'POST /audio/speech', inputTokens: 5, outcome: 'completed' });
    const file = new File([new Uint8Array(1500)], 'memo.wav', { type: 'audio/wav' });
    const transcript = await openai.audio.transcriptions.create({ model: 'm', file });
    expect(transcript).toMatchObject({ text: 'Transcript of memo.wav', usage: { type: 'duration', seconds: 2 } });
    expect(fake.requests.at(-1)?.body).toMatchObject({ model: 'm', file: { filename: 'memo.wav', bytes: 1500 } });
    const english = await openai.audio.translations.create({ model: 'm', file, response_format: 'verbose_json' });
    expect(english).toMatchObject({ text: 'Translation of memo.wav', duration: 2 });
  });

  it('answers 404 to unknown paths and 400 to bodies that it cannot read', async () => {
    expect((await request(`${fake.baseUrl}/nowhere`, { method: 'POST', body: '{}' })).statusCode).toBe(404);
    expect((await request(`${fake.baseUrl}/chat/completions`, { method: 'POST', body: '{' })).statusCode).toBe(400);
    expect((await request(`${fake.baseUrl}/chat/completions`, { method: 'POST', body: '{}' })).statusCode).toBe(400);
  });

  it('records requests as they arrived', async () => {
    await openai.chat.completions.create({ model: 'm', messages: [user('recorded')], temperature: 0.5 });
    expect(fake.requests.at(-1)).toMatchObject({
      endpoint: 'POST /chat/completions',
      headers: { authorization: 'Bearer any' },
      body: { temperature: 0.5, messages: [{ content: 'recorded' }] },
    });
  });
});

describe('a provider that refuses as vendors do', () => {
  it('answers what the real vendor refuses with its error, and everything else as ever', async () => {
    const strict = await startFakeProvider({ refusesAsVendors: true });
    const ask = (more: object) =>
      fetch(`${strict.baseUrl}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'hi' }], ...more }),
      });
    try {
      const refused = await ask({ max_tokens: 5 });
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: { param: 'max_tokens', code: 'unsupported_parameter' } });
      expect((await ask({ max_completion_tokens: 5 })).status).toBe(200);
      expect(strict.journal.entries().map(({ outcome }) => outcome)).toEqual(['refused', 'completed']);
    } finally {
      await strict.stop();
    }
  });
});
