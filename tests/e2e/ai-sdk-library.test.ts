// Vercel's AI SDK with its provider for OpenAI-compatible servers, unmodified.
import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { APICallError, embedMany, generateText, Output, RetryError, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { must, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const system = useSystem();
const project = useProject(system);
let tollgate: OpenAICompatibleProvider;

beforeAll(async () => {
  tollgate = newProvider(project.secretKey);
});

function newProvider(apiKey: string): OpenAICompatibleProvider {
  return createOpenAICompatible({
    name: 'tollgate',
    apiKey,
    baseURL: `${system.stack.httpUrl}/v1`,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
}

const weather = tool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async () => '21 degrees',
});

describe('the AI SDK', () => {
  const id = UPSTREAM_MODEL;
  it('generates text with usage', async () => {
    const { text, finishReason, usage } = await generateText({ model: tollgate(id), prompt: 'hello' });
    expect([text.includes('hello'), finishReason]).toEqual([true, 'stop']);
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  it('streams text with usage', async () => {
    const result = streamText({ model: tollgate(id), prompt: 'hello there' });
    let text = '';
    for await (const delta of result.textStream) text += delta;
    expect(text).toContain('hello there');
    expect((await result.usage).outputTokens).toBeGreaterThan(0);
    expect(await result.finishReason).toBe('stop');
  });

  it('runs tools and continues with their results, plain and streamed', async () => {
    const asked = {
      model: tollgate(id),
      prompt: 'call tool get_weather',
      tools: { get_weather: weather },
      stopWhen: stepCountIs(3),
    };
    const { steps, text } = await generateText(asked);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(text).toContain('21 degrees');
    const streamed = streamText(asked);
    expect(await streamed.text).toContain('21 degrees');
    expect(await streamed.steps).toHaveLength(2);
  });

  it('gets objects that fit their schema', async () => {
    const output = Output.object({ schema: z.object({ title: z.string() }) });
    expect((await generateText({ model: tollgate(id), prompt: 'a title', output })).output).toEqual({
      title: expect.any(String),
    });
  });

  it('sends images', async () => {
    const image = Buffer.from('iVBORw0KGgo=', 'base64');
    const content = [
      { type: 'text' as const, text: 'what is this' },
      { type: 'image' as const, image, mediaType: 'image/png' },
    ];
    const { text } = await generateText({ model: tollgate(id), messages: [{ role: 'user', content }] });
    expect(text).toContain('what is this');
  });

  it('reports whether a retry may help', async () => {
    const ask = (prompt: string) => generateText({ model: tollgate(id), prompt, maxRetries: 1 });
    await expect(ask('fail with 429')).rejects.toBeInstanceOf(RetryError);
    const refused = ask('fail with 402');
    await expect(refused).rejects.toBeInstanceOf(APICallError);
    await expect(refused).rejects.toMatchObject({ statusCode: 402, isRetryable: false });
  });

  it('reports one error when a stream breaks off', async () => {
    const errors: unknown[] = [];
    const result = streamText({
      model: tollgate(id),
      prompt: 'fail with cut',
      onError: ({ error }) => void errors.push(error),
    });
    await result.consumeStream();
    expect(errors).toHaveLength(1);
  });
});

it('embeds', async () => {
  const model = tollgate.embeddingModel('sandbox/embed-1');
  const { embeddings, usage } = await embedMany({ model, values: ['one', 'two'] });
  expect(embeddings.map(({ length }) => length)).toEqual([256, 256]);
  expect(usage.tokens).toBeGreaterThan(0);
});

it('charges a customer for the reported usage', async () => {
  const customer = await project.customerOn('free');
  const { usage } = await generateText({ model: newProvider(customer.token)(UPSTREAM_MODEL), prompt: 'hello' });
  const paid = must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents;
  expect(paid).toBe((usage.inputTokens ?? 0) * 200 + (usage.outputTokens ?? 0) * 600);
});
