// The messages dialect, tested with Anthropic's unmodified client library.
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anthropicClient } from '../system/library-clients.js';
import { SANDBOX_MODEL, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const system = useSystem();
const project = useProject(system);
let client: Anthropic;

beforeAll(async () => {
  client = anthropicClient(system, project.secretKey);
});

const max_tokens = 500;
const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather in a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function user(content: Anthropic.MessageParam['content']): Anthropic.MessageParam {
  return { role: 'user', content };
}

function readText({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

describe('client.messages', () => {
  const model = UPSTREAM_MODEL;
  it('answers with text', async () => {
    const message = await client.messages.create({ model, max_tokens, system: 'be brief', messages: [user('hello')] });
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
    expect(readText(message)).toContain('hello');
    expect(message.usage.input_tokens).toBeGreaterThan(0);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
    expect(message._request_id).toBeTruthy();
  });

  it('streams through its own helper, with the usage of the plain answer', async () => {
    const asked = { model, max_tokens, messages: [user('hello there')] };
    const plain = await client.messages.create(asked);
    let text = '';
    const message = await client.messages
      .stream(asked)
      .on('text', (delta) => {
        text += delta;
      })
      .finalMessage();
    expect(text).toContain('hello there');
    expect(readText(message)).toBe(text);
    expect(message.content).toEqual(plain.content);
    expect(message).toMatchObject({ stop_reason: plain.stop_reason, usage: plain.usage });
  });

  it('reports max_tokens for a truncated answer and ends at a stop sequence', async () => {
    const messages = [user('a longer text than three tokens allow')];
    expect((await client.messages.create({ model, max_tokens: 3, messages })).stop_reason).toBe('max_tokens');
    const stopped = await client.messages.create({ model, max_tokens, messages, stop_sequences: [' text'] });
    expect(readText(stopped)).not.toContain('text');
  });

  it('uses a tool, plain and streamed, and continues with its result', async () => {
    const asked = { model, max_tokens, tools: [weather], messages: [user('call tool get_weather')] };
    const plain = await client.messages.create(asked);
    const pieces: string[] = [];
    const streamed = await client.messages
      .stream(asked)
      .on('inputJson', (piece) => pieces.push(piece))
      .finalMessage();
    for (const { content, stop_reason } of [plain, streamed]) {
      expect(stop_reason).toBe('tool_use');
      expect(content).toMatchObject([{ type: 'tool_use', name: 'get_weather', input: { city: expect.any(String) } }]);
    }
    const [use] = streamed.content.filter((block) => block.type === 'tool_use');
    expect(JSON.parse(pieces.join(''))).toEqual(use?.input);
    const answer = await client.messages.create({
      ...asked,
      messages: [
        ...asked.messages,
        { role: 'assistant', content: streamed.content },
        user([{ type: 'tool_result', tool_use_id: use!.id, content: [{ type: 'text', text: '21 degrees' }] }]),
      ],
    });
    expect(readText(answer)).toContain('21 degrees');
  });

  it('uses the tool that the request names', async () => {
    for (const tool_choice of [{ type: 'any' }, { type: 'tool', name: 'get_weather' }] as const) {
      const asked = { model, max_tokens, tools: [weather], tool_choice, messages: [user('hi')] };
      expect((await client.messages.create(asked)).content).toMatchObject([{ type: 'tool_use', name: 'get_weather' }]);
    }
  });

  it("runs tools in the library's own loop", async () => {
    const asked: string[] = [];
    const tool = betaZodTool({
      name: 'get_weather',
      description: 'The weather in a city',
      inputSchema: z.object({ city: z.string() }),
      run: ({ city }) => {
        asked.push(city);
        return '21 degrees';
      },
    });
    const runner = client.beta.messages.toolRunner({
      model,
      max_tokens,
      tools: [tool],
      messages: [{ role: 'user', content: 'call tool get_weather' }],
    });
    const answer = await runner.runUntilDone();
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(answer.content)).toContain('21 degrees');
    if (model !== UPSTREAM_MODEL) return;
    // The library sends only new messages unless it learns that the service stores no conversation.
    const { messages, tools } = system.provider.requests.at(-1)!.body;
    expect(messages[0]).toMatchObject({ role: 'user', content: 'call tool get_weather' });
    expect(tools).toHaveLength(1);
  });

  it('parses structured output', async () => {
    const format = zodOutputFormat(z.object({ title: z.string() }));
    const message = await client.messages.parse({
      model,
      max_tokens,
      messages: [user('a title')],
      output_config: { format },
    });
    expect(message.parsed_output).toEqual({ title: expect.any(String) });
  });

  it('passes images to the model, including those in tool results', async () => {
    const image: Anthropic.ImageBlockParam = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: pixel },
    };
    const answer = await client.messages.create({
      model,
      max_tokens,
      messages: [user([{ type: 'text', text: 'what is this' }, image])],
    });
    expect(readText(answer)).toContain('what is this');
    if (model !== UPSTREAM_MODEL) return;
    expect(JSON.stringify(system.provider.requests.at(-1)!.body.messages)).toContain(pixel);
    await client.messages.create({
      model,
      max_tokens,
      tools: [weather],
      messages: [
        user('look'),
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'x' } }],
        },
        user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image] }]),
      ],
    });
    expect(JSON.stringify(system.provider.requests.at(-1)!.body.messages)).toContain(pixel);
  });

  it('counts input tokens as it charges them', async () => {
    const asked = { model: SANDBOX_MODEL, system: 'be brief', messages: [user('hello there')], tools: [weather] };
    const { input_tokens: counted } = await client.messages.countTokens(asked);
    const { usage } = await client.messages.create({ ...asked, max_tokens });
    expect(counted).toBe(usage.input_tokens);
  });

  it('maps thinking to a reasoning effort and ignores earlier thinking', async () => {
    const message = await client.messages.create({
      model,
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      messages: [
        user('one'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'text', text: 'two' },
          ],
        },
        user('three'),
      ],
    });
    expect(readText(message)).toContain('three');
    if (model === UPSTREAM_MODEL) expect(system.provider.requests.at(-1)!.body.reasoning_effort).toBe('low');
  });

  it('throws when a stream breaks off', async () => {
    const stream = client.messages.stream({ model, max_tokens, messages: [user('fail with cut')] });
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIError);
  });

  it('throws the same errors as for Anthropic', async () => {
    const ask = (content: string, name = model) =>
      client.messages.create({ model: name, max_tokens, messages: [user(content)] });
    await expect(ask('hi', 'nope')).rejects.toMatchObject({ status: 404, type: 'not_found_error' });
    await expect(ask('fail with 429')).rejects.toBeInstanceOf(Anthropic.RateLimitError);
    await expect(ask('fail with 500')).rejects.toBeInstanceOf(Anthropic.InternalServerError);
    await expect(ask('fail with 402')).rejects.toMatchObject({ status: 402, type: 'billing_error' });
  });
});

it.each([
  ['fail with 400', 400, 'invalid_request_error'],
  ['fail with 404', 404, 'not_found_error'],
  ['fail with 413', 413, 'request_too_large'],
  ['fail with 529', 529, 'overloaded_error'],
])("throws the provider's error: %s", async (text, status, type) => {
  const refused = client.messages.create({ model: UPSTREAM_MODEL, max_tokens, messages: [user(text)] });
  await expect(refused).rejects.toMatchObject({ status, type });
});

describe('models', () => {
  it('lists models page by page, forward and backward', async () => {
    const all: string[] = [];
    for await (const { id, type, created_at } of client.models.list({ limit: 3 })) {
      expect([type, Number.isNaN(Date.parse(created_at))]).toEqual(['model', false]);
      all.push(id);
    }
    expect(all).toEqual(expect.arrayContaining([SANDBOX_MODEL, UPSTREAM_MODEL]));
    expect(new Set(all).size).toBe(all.length);
    const last = await client.models.list({ limit: 2, before_id: all.at(-1)! });
    expect(last.data.map(({ id }) => id)).toEqual(all.slice(-3, -1));
    expect(last.has_more).toBe(true);
  });

  it('finds a model by id and returns 404 for an unknown one', async () => {
    expect(await client.models.retrieve(SANDBOX_MODEL)).toMatchObject({ id: SANDBOX_MODEL, type: 'model' });
    await expect(client.models.retrieve('nope')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });
});

describe('credentials', () => {
  it('accepts x-api-key and bearer tokens', async () => {
    const customer = await project.customerOn('free');
    const bearer = new Anthropic({ apiKey: null, authToken: customer.token, baseURL: system.stack.httpUrl });
    for (const mine of [bearer, anthropicClient(system, customer.token)]) {
      expect(
        readText(await mine.messages.create({ model: SANDBOX_MODEL, max_tokens, messages: [user('hi')] })),
      ).toBeTruthy();
    }
  });

  it('returns errors of the dialect for wrong credentials', async () => {
    const bad = anthropicClient(system, 'bad');
    await expect(bad.models.list()).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    await expect(
      bad.messages.create({ model: SANDBOX_MODEL, max_tokens, messages: [user('hi')] }),
    ).rejects.toMatchObject({ status: 401, type: 'authentication_error', requestID: expect.any(String) });
    const browser = anthropicClient(system, project.publishableKey);
    await expect(browser.models.list()).rejects.toMatchObject({ status: 403, type: 'permission_error' });
  });

  it('limits a customer to the models of its tier', async () => {
    const models = [{ model_id: SANDBOX_MODEL, is_default: true }];
    const customer = await project.customerOn('free', { tier: { models } });
    const mine = anthropicClient(system, customer.token);
    const asked = mine.messages.create({ model: UPSTREAM_MODEL, max_tokens, messages: [user('hi')] });
    await expect(asked).rejects.toMatchObject({ status: 403, type: 'permission_error' });
  });
});
