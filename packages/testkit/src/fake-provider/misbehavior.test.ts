import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI, { APIConnectionError, APIError } from 'openai';
import { request } from 'undici';
import { waitUntil } from '../wait-until.js';
import { type FakeProvider, startFakeProvider } from './start-fake-provider.js';

let fake: FakeProvider;
let openai: OpenAI;

beforeAll(async () => {
  fake = await startFakeProvider({ models: ['fake-1', 'fake-2'] });
  openai = new OpenAI({ baseURL: fake.baseUrl, apiKey: 'any', maxRetries: 0 });
});
afterAll(() => fake.stop());
beforeEach(() => fake.always({}));

const user = (content: string) => ({ role: 'user' as const, content });
function lastCall() {
  return fake.journal.entries().at(-1)!;
}

describe('misbehavior', () => {
  it.each([
    ['fail with 429', 429, 'rate_limit_exceeded'],
    ['fail with 500', 500, null],
    ['fail with 402', 402, 'insufficient_quota'],
    ['fail with 503', 503, null],
  ])('refuses %p with %i', async (text, status, code) => {
    for (const stream of [false, true]) {
      const error = await openai.chat.completions
        .create({ model: 'm', messages: [user(text)], stream })
        .catch((e) => e);
      expect(error).toBeInstanceOf(APIError);
      expect([error.status, error.code, error.requestID]).toEqual([status, code, expect.stringMatching(/^req_fake_/)]);
      expect(lastCall()).toMatchObject({ status, inputTokens: 0, outputTokens: 0, outcome: 'refused' });
    }
  });

  it('sends a Retry-After header when the text asks for it', async () => {
    const error = await openai.chat.completions
      .create({ model: 'm', messages: [user('fail with 429, retry after 7')] })
      .catch((e) => e);
    expect(error.headers.get('retry-after')).toBe('7');
  });

  it('breaks a stream after the requested number of tokens, all of which arrive', async () => {
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

  it('breaks a plain answer halfway', async () => {
    await expect(openai.chat.completions.create({ model: 'm', messages: [user('fail with cut')] })).rejects.toThrow();
    expect(lastCall().outcome).toBe('cut');
  });

  it('sends bytes that are not JSON', async () => {
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

  it('journals the tokens that were written before the client disconnected', async () => {
    const stream = await openai.chat.completions.create(
      { model: 'm', messages: [user('say 50 tokens, hang mid-stream')], stream: true },
      { headers: { 'x-client-request-id': 'req-abc' } },
    );
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    const [entry] = fake.journal.findEntries('req-abc');
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

  it('follows next() for one request and always() for the rest, instead of the text', async () => {
    fake.next({ status: 503 });
    fake.always({ text: 'standing' });
    const ask = () => openai.chat.completions.create({ model: 'm', messages: [user('hello')] });
    await expect(ask()).rejects.toMatchObject({ status: 503 });
    expect((await ask()).choices[0]?.message.content).toBe('standing');
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

  it('stops while calls are running', async () => {
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
