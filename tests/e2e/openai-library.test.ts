import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { SANDBOX_MODEL, type System, startSystem, UPSTREAM_MODEL } from '../system/start-system.js';

let system: System;
let client: OpenAI;

beforeAll(async () => {
  system = await startSystem({ mode: 'one process' });
  const { secretKey } = await system.project();
  client = new OpenAI({ apiKey: secretKey, baseURL: system.baseUrl.replace('/api/v1', '/v1'), maxRetries: 0 });
});

afterAll(() => system.stop());

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
    const stranger = new OpenAI({ apiKey: 'bad', baseURL: client.baseURL, maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('throws when a stream breaks off', async () => {
    const stream = await client.chat.completions.create({ model, messages: [user('fail with cut')], stream: true });
    const read = async () => {
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
  });
});
