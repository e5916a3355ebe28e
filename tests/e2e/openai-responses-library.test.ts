// The responses dialect, tested with OpenAI's unmodified client library.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { openAiClient } from '../system/library-clients.js';
import { must, SANDBOX_MODEL, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const system = useSystem();
const project = useProject(system);
let client: OpenAI;

beforeAll(async () => {
  client = openAiClient(system, project.secretKey);
});

const weather = {
  type: 'function' as const,
  name: 'get_weather',
  strict: false,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('client.responses', () => {
  const model = UPSTREAM_MODEL;
  it('answers with text', async () => {
    const response = await client.responses.create({ model, input: 'hello', instructions: 'be brief' });
    expect(response).toMatchObject({ object: 'response', status: 'completed', model, error: null });
    expect(response.output_text).toContain('hello');
    const { input_tokens, output_tokens, total_tokens } = response.usage!;
    expect(total_tokens).toBe(input_tokens + output_tokens);
    expect(response._request_id).toBeTruthy();
  });

  it('streams through its own helper, whose snapshot is the answer', async () => {
    const stream = client.responses.stream({ model, input: 'hello there' });
    const numbers: number[] = [];
    let text = '';
    stream.on('event', (event) => numbers.push(event.sequence_number));
    stream.on('response.output_text.delta', ({ delta }) => {
      text += delta;
    });
    const response = await stream.finalResponse();
    expect(text).toContain('hello there');
    expect(response).toMatchObject({ status: 'completed', output_text: text });
    expect(response.usage?.output_tokens).toBeGreaterThan(0);
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  it('reports max_output_tokens when an answer was cut, plain and streamed', async () => {
    const asked = { model, input: 'a longer text than four tokens allow', max_output_tokens: 3 };
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(await client.responses.create(asked)).toMatchObject(cut);
    expect(await client.responses.stream(asked).finalResponse()).toMatchObject(cut);
  });

  it('calls a function, plain and streamed, and continues with its output', async () => {
    const asked = { model, input: 'call tool get_weather', tools: [weather] };
    const plain = await client.responses.create(asked);
    const deltas: string[] = [];
    const stream = client.responses.stream(asked);
    stream.on('response.function_call_arguments.delta', ({ delta }) => deltas.push(delta));
    const streamed = await stream.finalResponse();
    for (const { output } of [plain, streamed]) {
      expect(output).toMatchObject([{ type: 'function_call', name: 'get_weather', status: 'completed' }]);
    }
    const call = streamed.output.find((item) => item.type === 'function_call')!;
    expect(JSON.parse(call.arguments)).toHaveProperty('city');
    expect(deltas.join('')).toBe(call.arguments);
    const answer = await client.responses.create({
      ...asked,
      input: [
        { role: 'user', content: asked.input },
        call,
        { type: 'function_call_output', call_id: call.call_id, output: '21 degrees' },
      ],
    });
    expect(answer.output_text).toContain('21 degrees');
  });

  it('calls the function that the request names', async () => {
    const choice = { type: 'function' as const, name: 'get_weather' };
    const { output } = await client.responses.create({ model, input: 'hi', tools: [weather], tool_choice: choice });
    expect(output).toMatchObject([{ type: 'function_call', name: 'get_weather' }]);
  });

  it('parses structured output, plain and streamed', async () => {
    const format = zodTextFormat(z.object({ title: z.string(), tags: z.array(z.string()) }), 'document');
    const parsed = await client.responses.parse({ model, input: 'a title', text: { format } });
    expect(parsed.output_parsed).toEqual({ title: expect.any(String), tags: expect.any(Array) });
    const streamed = await client.responses.stream({ model, input: 'a title', text: { format } }).finalResponse();
    expect(streamed.output_parsed).toEqual({ title: expect.any(String), tags: expect.any(Array) });
  });

  it('passes an image to the model', async () => {
    const content = [
      { type: 'input_text' as const, text: 'what is this' },
      { type: 'input_image' as const, detail: 'auto' as const, image_url: `data:image/png;base64,${pixel}` },
    ];
    const response = await client.responses.create({ model, input: [{ role: 'user', content }] });
    expect(response.output_text).toContain('what is this');
    if (model === UPSTREAM_MODEL) {
      const { messages } = system.provider.requests.at(-1)!.body;
      expect(JSON.stringify(messages)).toContain(pixel);
    }
  });

  it('counts input tokens as it charges them', async () => {
    const asked = { model: SANDBOX_MODEL, input: 'hello there', instructions: 'be brief' };
    const { input_tokens: counted } = await client.responses.inputTokens.count(asked);
    const { usage } = await client.responses.create(asked);
    expect(counted).toBe(usage?.input_tokens);
  });

  it('throws when a stream breaks off', async () => {
    const stream = await client.responses.create({ model, input: 'fail with cut', stream: true });
    const types: string[] = [];
    const read = async () => {
      for await (const event of stream) types.push(event.type);
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(types.at(-1)).toBe('response.failed');
    expect(types).not.toContain('response.completed');
  });
});

describe('what the responses dialect cannot do here', () => {
  it.each([
    ['a conversation', { conversation: 'conv_1' }],
    ['the background', { background: true }],
    ['a prompt template', { prompt: { id: 'pmpt_1' } }],
    ['a built-in tool', { tools: [{ type: 'web_search' as const }] }],
    ['a stored file', { input: [{ role: 'user' as const, content: [{ type: 'input_file' as const, file_id: 'f' }] }] }],
    ['a tier without a price', { service_tier: 'priority' as const }],
    ['a choice of an absent function', { tool_choice: { type: 'function' as const, name: 'nope' } }],
  ])('refuses %s with a reason', async (_what, more) => {
    const asked = client.responses.create({ model: SANDBOX_MODEL, input: 'hi', ...more } as never);
    const error = await asked.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ param: expect.any(String), type: 'invalid_request_error' });
    expect((error as Error).message).not.toContain('Invalid input');
  });
});

describe('a customer with client.responses', () => {
  it('pays for exactly the reported usage, plain and streamed', async () => {
    const customer = await project.customerOn('free');
    const mine = openAiClient(system, customer.token);
    const plain = await mine.responses.create({ model: UPSTREAM_MODEL, input: 'hello' });
    const streamed = await mine.responses.stream({ model: UPSTREAM_MODEL, input: 'hello' }).finalResponse();
    expect(streamed.usage).toEqual(plain.usage);
    const { input_tokens = 0, output_tokens = 0 } = plain.usage ?? {};
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage.total_cost_microcents).toBe(2 * (input_tokens * 200 + output_tokens * 600));
  });

  it('charges a customer that leaves in the middle of a stream for what was delivered', async () => {
    const customer = await project.customerOn('free');
    const stream = await openAiClient(system, customer.token).responses.create({
      model: UPSTREAM_MODEL,
      input: 'say 300 tokens, slow 10 ms',
      stream: true,
    });
    let deltas = 0;
    for await (const { type } of stream) if (type === 'response.output_text.delta' && ++deltas === 5) break;
    const readUsage = async () => must(await customer.api.get('/customers/me/usage'), 200).usage;
    await waitUntil(async () => (await readUsage()).requests === 1, { what: 'the settlement' });
    const call = system.provider.journal.entries().at(-1)!;
    expect(call.outcome).toBe('client_gone');
    const { total_cost_microcents: cost } = await readUsage();
    const billed = (cost - call.inputTokens * 200) / 600;
    expect(billed).toBeGreaterThanOrEqual(5);
    expect(billed).toBeLessThanOrEqual(call.outputTokens);
  });
});
