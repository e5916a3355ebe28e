import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { countingOpenAi } from '../system/library-clients.js';
import {
  must,
  SANDBOX_MODEL,
  type System,
  startSystem,
  type TestProject,
  UPSTREAM_MODEL,
} from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';

let system: System;
let project: TestProject;
let client: OpenAI;

beforeAll(async () => {
  system = await startSystem({ mode: 'one process' });
  project = await system.project();
  client = newClient(project.secretKey, { maxRetries: 0 });
}, START_MS);

afterAll(() => system.stop());

function newClient(apiKey: string, options: { maxRetries?: number } = {}): OpenAI {
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

  it('answers a chat with content, usage and a request id', async () => {
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

  it('completes a text, plain and streamed', async () => {
    const asked = { model, prompt: 'hello there', max_tokens: 100 };
    const plain = await client.completions.create(asked);
    expect(plain).toMatchObject({ object: 'text_completion', model, choices: [{ finish_reason: 'stop', index: 0 }] });
    expect(plain.choices[0]!.text).toContain('hello there');
    let text = '';
    for await (const chunk of await client.completions.create({ ...asked, stream: true }))
      text += chunk.choices[0]!.text;
    expect(text).toBe(plain.choices[0]!.text);
    const short = await client.completions.create({ model, prompt: 'say 50 tokens write 50 words' });
    expect(short.choices[0]!.finish_reason).toBe('length');
    expect(short.usage!.completion_tokens).toBeLessThanOrEqual(16);
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

  it('parses structured output, plain and streamed', async () => {
    const asked = {
      model,
      messages: [user('a title')],
      response_format: zodResponseFormat(z.object({ title: z.string(), pages: z.number() }), 'document'),
    };
    const expected = { title: expect.any(String), pages: expect.any(Number) };
    const parsed = await client.chat.completions.parse(asked);
    expect(parsed.choices[0]?.message.parsed).toEqual(expected);
    const streamed = await client.chat.completions.stream(asked).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(expected);
  });

  it("runs tools in the library's own loop, plain and streamed", async () => {
    const cities: string[] = [];
    const tool = zodFunction({
      name: 'get_weather',
      parameters: z.object({ city: z.string() }),
      function: ({ city }) => {
        cities.push(city);
        return '21 degrees';
      },
    });
    const asked = { model, messages: [user('call tool get_weather')], tools: [tool] };
    expect(await client.chat.completions.runTools(asked).finalContent()).toContain('21 degrees');
    expect(await client.chat.completions.runTools({ ...asked, stream: true }).finalContent()).toContain('21 degrees');
    expect(cities).toHaveLength(2);
  });

  it('stops at the length limit and at one or several stop words', async () => {
    const ask = async (more: object) => {
      const asked = { model, messages: [user('one two three four')], ...more };
      return (await client.chat.completions.create(asked)).choices[0]!;
    };
    expect((await ask({ max_tokens: 3 })).finish_reason).toBe('length');
    expect((await ask({ max_completion_tokens: 3 })).finish_reason).toBe('length');
    for (const stop of [' two', [' three', ' two']]) {
      const { finish_reason, message } = await ask({ stop });
      expect([finish_reason, message.content?.includes('two')]).toEqual(['stop', false]);
    }
  });

  it('accepts an image together with the user and metadata fields', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const content = [
      { type: 'text' as const, text: 'what is this' },
      { type: 'image_url' as const, image_url: { url } },
    ];
    const more = { user: 'someone', metadata: { a: 'b' } };
    const answer = await client.chat.completions.create({ model, messages: [{ role: 'user', content }], ...more });
    expect(answer.choices[0]?.message.content).toContain('what is this');
  });

  it('refuses too many choices', async () => {
    const many = client.chat.completions.create({ model, messages: [user('hi')], n: 129 });
    await expect(many).rejects.toMatchObject({ status: 400, param: 'n' });
  });

  it('throws the same errors as for OpenAI', async () => {
    const ask = (content: string, name = model) =>
      client.chat.completions.create({ model: name, messages: [user(content)] });
    await expect(ask('hi', 'nope')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    await expect(ask('fail with 429')).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(ask('fail with 500')).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(newClient('bad').models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
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

  it('pays for exactly the reported usage, plain and streamed', async () => {
    const customer = await project.customerOn('free');
    const mine = newClient(customer.token);
    const plain = await ask(mine);
    const streamed = await mine.chat.completions
      .stream({ model: UPSTREAM_MODEL, messages: [user('hello')], stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(streamed.usage).toEqual(plain.usage);
    const { prompt_tokens = 0, completion_tokens = 0 } = plain.usage ?? {};
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage.total_cost_microcents).toBe(2 * (prompt_tokens * 200 + completion_tokens * 600));
  });

  it('receives the empty wallet once: it does not repeat a 402', async () => {
    const customer = await project.customerOn('paygo', { walletMicrocents: 1n });
    const { client: mine, statuses } = countingOpenAi(system, customer.token, { maxRetries: 3 });
    const refused = ask(mine);
    await expect(refused).rejects.toMatchObject({ status: 402, code: 'WALLET_EMPTY', type: 'insufficient_quota' });
    expect(statuses).toEqual([402]);
  });

  it('gets the models of its tier only', async () => {
    const models = [{ model_id: SANDBOX_MODEL, is_default: true }];
    const customer = await project.customerOn('free', { tier: { models } });
    await expect(ask(newClient(customer.token))).rejects.toMatchObject({ status: 403, type: 'permission_error' });
  });

  it.each([
    ['a provider that fails', 'fail with 500', [500, 500, 500]],
    ['a provider that is busy', 'fail with 429', [429, 429, 429]],
    ['a request that its provider refuses', 'fail with 400', [400]],
    ["a provider without funds, which is not the customer's affair", 'fail with 402', [503, 503, 503]],
  ])('asks again as often as it may help: %s', async (_what, text, expected) => {
    const customer = await project.customerOn('free');
    // The answer asks for a retry after half a minute; this test does not wait.
    const { client: mine, statuses } = countingOpenAi(system, customer.token, { waitsAtMostMs: 10 });
    const before = system.provider.requests.length;
    await expect(ask(mine, text)).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(statuses).toEqual(expected);
    expect(system.provider.requests.length - before).toBe(expected.length);
    expect(must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents).toBe(0);
  });

  it('gets the status, type and code with which its provider refuses a request', async () => {
    const mine = newClient(project.secretKey, { maxRetries: 0 });
    const refused = ask(mine, 'fail with 400');
    await expect(refused).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(refused).rejects.toMatchObject({ status: 400, type: 'invalid_request_error', code: null });
    await expect(ask(mine, 'fail with 404')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(ask(mine, 'fail with 422')).rejects.toBeInstanceOf(OpenAI.UnprocessableEntityError);
    const messages = [user('fail with 400')];
    const streamed = mine.chat.completions.create({ model: UPSTREAM_MODEL, messages, stream: true });
    await expect(streamed).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });

  it('charges once for an Idempotency-Key and rejects another request under it', async () => {
    const customer = await project.customerOn('free');
    const mine = newClient(customer.token, { maxRetries: 0 });
    const again = (content: string) =>
      mine.chat.completions.create(
        { model: UPSTREAM_MODEL, messages: [user(content)], max_tokens: 50 },
        { headers: { 'Idempotency-Key': 'the-same' } },
      );
    const first = await again('hello');
    expect(await again('hello')).toEqual({ ...first });
    await expect(again('other')).rejects.toBeInstanceOf(OpenAI.ConflictError);
    expect(must(await customer.api.get('/customers/me/usage'), 200).usage.requests).toBe(1);
  });

  it('gets its own rate limit as the JSON that the library knows, and the wait that it respects', async () => {
    const customer = await project.customerOn('free', { tier: { rate_limit_per_minute: 1 } });
    const mine = newClient(customer.token, { maxRetries: 0 });
    await ask(mine);
    const refused = await ask(mine).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
    expect(refused).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    expect(Number((refused as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after'))).toBeGreaterThan(0);
  });

  it('returns 403 to a publishable key', async () => {
    const browser = newClient(project.publishableKey, { maxRetries: 0 });
    await expect(ask(browser)).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
    await expect(browser.models.list()).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
  });

  it('ends a stream by disconnecting, and pays for what was delivered', async () => {
    const customer = await project.customerOn('free');
    const stream = await newClient(customer.token).chat.completions.create({
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
    const call = system.provider.journal.entries().at(-1)!;
    expect(call.outcome).toBe('client_gone');
    const cost = must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents;
    const billed = (cost - call.inputTokens * 200) / 600;
    expect(billed).toBeGreaterThanOrEqual(4);
    expect(billed).toBeLessThanOrEqual(call.outputTokens);
  });
});
