import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import OpenAI from 'openai';
import {
  must,
  SANDBOX_MODEL,
  type System,
  startSystem,
  type TestProject,
  UPSTREAM_MODEL,
} from '../system/start-system.js';

let system: System;
let project: TestProject;
let client: OpenAI;

beforeAll(async () => {
  system = await startSystem({ mode: 'one process' });
  project = await system.project();
  client = clientOf(project.secretKey, { maxRetries: 0 });
});

afterAll(() => system.stop());

function clientOf(apiKey: string, options: { maxRetries?: number; fetch?: typeof fetch } = {}): OpenAI {
  return new OpenAI({ apiKey, baseURL: system.baseUrl.replace('/api/v1', '/v1'), ...options });
}

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

function user(content: string) {
  return { role: 'user' as const, content };
}

// The sandbox's answers are translated into the dialect, those of the OpenAI-compatible provider are forwarded.
describe.each([SANDBOX_MODEL, UPSTREAM_MODEL])('the unmodified openai library with %s', (model) => {
  it('lists and finds models', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toContain(model);
    expect((await client.models.retrieve(model)).id).toBe(model);
    await expect(client.models.retrieve('nope/x')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });

  it('chats', async () => {
    const answer = await client.chat.completions.create({ model, messages: [user('hello')] });
    expect(answer).toMatchObject({ model, choices: [{ finish_reason: 'stop' }] });
    expect(answer.choices[0]?.message.content).toContain('hello');
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    expect(answer._request_id).toBeTruthy();
  });

  it('streams through its own helper, with usage', async () => {
    const stream = client.chat.completions.stream({
      model,
      messages: [user('hello there')],
      stream_options: { include_usage: true },
    });
    let text = '';
    stream.on('content', (delta) => {
      text += delta;
    });
    const answer = await stream.finalChatCompletion();
    expect(text).toContain('hello there');
    expect(answer).toMatchObject({ choices: [{ finish_reason: 'stop', message: { content: text } }] });
    expect(answer.usage?.completion_tokens).toBeGreaterThan(0);
  });

  it('calls a tool, plain and streamed, and gets an answer to its result', async () => {
    const asked = { model, messages: [user('call tool get_weather')], tools: [weather] };
    const plain = await client.chat.completions.create(asked);
    expect(plain.choices[0]?.finish_reason).toBe('tool_calls');
    const { message } = (await client.chat.completions.stream(asked).finalChatCompletion()).choices[0]!;
    const call = message.tool_calls![0]!;
    expect(call.function.name).toBe('get_weather');
    expect(JSON.parse(call.function.arguments)).toHaveProperty('city');
    const result = { role: 'tool' as const, tool_call_id: call.id, content: '21 degrees' };
    const answer = await client.chat.completions.create({ ...asked, messages: [...asked.messages, message, result] });
    expect(answer.choices[0]?.message.content).toContain('21 degrees');
  });

  it('gets a document that fits its schema', async () => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    };
    const answer = await client.chat.completions.create({
      model,
      messages: [user('a title')],
      response_format: { type: 'json_schema', json_schema: { name: 'document', strict: true, schema } },
    });
    expect(JSON.parse(answer.choices[0]!.message.content!)).toEqual({ title: expect.any(String) });
  });

  it('throws what it throws for OpenAI', async () => {
    const ask = (content: string, name = model) =>
      client.chat.completions.create({ model: name, messages: [user(content)] });
    await expect(ask('hi', 'nope')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    await expect(ask('fail with 429')).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(ask('fail with 500')).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(clientOf('bad').models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('throws when a stream breaks off', async () => {
    const stream = await client.chat.completions.create({ model, messages: [user('fail with cut')], stream: true });
    const read = async () => {
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
  });
});

describe('a customer with the unmodified openai library', () => {
  const ask = (as: OpenAI, content = 'hello') =>
    as.chat.completions.create({ model: UPSTREAM_MODEL, messages: [user(content)], max_tokens: 50 });

  it('pays for exactly the usage that it is told, plain and streamed', async () => {
    const customer = await project.customerOn('free');
    const mine = clientOf(customer.token);
    const plain = await ask(mine);
    const streamed = await mine.chat.completions
      .stream({ model: UPSTREAM_MODEL, messages: [user('hello')], stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(streamed.usage).toEqual(plain.usage);
    const { prompt_tokens = 0, completion_tokens = 0 } = plain.usage ?? {};
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage.total_cost_microcents).toBe(2 * (prompt_tokens * 200 + completion_tokens * 600));
  });

  it('is told once that its wallet is empty: a 402 is not asked again', async () => {
    const customer = await project.customerOn('paygo', { walletMicrocents: 1n });
    let requests = 0;
    const counting: typeof fetch = (...request) => {
      requests += 1;
      return fetch(...request);
    };
    const refused = ask(clientOf(customer.token, { fetch: counting, maxRetries: 3 }));
    await expect(refused).rejects.toMatchObject({ status: 402, code: 'WALLET_EMPTY', type: 'insufficient_quota' });
    expect(requests).toBe(1);
  });

  it('gets its own rate limit as the JSON that the library knows, and the wait that it respects', async () => {
    const customer = await project.customerOn('free', { tier: { rate_limit_per_minute: 1 } });
    const mine = clientOf(customer.token, { maxRetries: 0 });
    await ask(mine);
    const refused = await ask(mine).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
    expect(refused).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    expect(Number((refused as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after'))).toBeGreaterThan(0);
  });

  it('and with a publishable key gets nothing', async () => {
    const browser = clientOf(project.publishableKey, { maxRetries: 0 });
    await expect(ask(browser)).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
    await expect(browser.models.list()).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
  });

  it('ends a stream by leaving it', async () => {
    const customer = await project.customerOn('free');
    const stream = await clientOf(customer.token).chat.completions.create({
      model: UPSTREAM_MODEL,
      messages: [user('say 300 tokens, slow 10 ms')],
      stream: true,
    });
    let chunks = 0;
    for await (const _ of stream) if (++chunks === 5) break;
    await waitUntil(async () => must(await customer.api.get('/customers/me/usage'), 200).usage.requests === 1, {
      what: 'the settlement',
      timeoutMs: 2_000,
    });
    expect(system.provider.journal.entries().at(-1)?.outcome).toBe('client_gone');
  });
});
