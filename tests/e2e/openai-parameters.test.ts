// Parameters that not every provider has, and several choices, with OpenAI's unmodified client library.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeProvider, startFakeProvider } from '@tollgate/testkit';
import type OpenAI from 'openai';
import { openAiClient } from '../system/library-clients.js';
import { type ScriptedOpenAi, startScriptedOpenAi } from '../system/scripted-openai.js';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';
import { toVendorEnv } from '../system/vendor-env.js';

/** A compatible server, which receives the client's body. */
const OPENAI = 'test/openai-1';
const XAI = 'test/xai-1';
const ANTHROPIC = 'test/anthropic-1';
const GOOGLE = 'test/google-1';
const PRICE = { input: 200, output: 600 };
const HEADER = 'x-service-dropped-parameters';
const USAGE = { prompt_tokens: 11, completion_tokens: 30, total_tokens: 41 };
const messages = [{ role: 'user' as const, content: 'hello' }];

let fake: FakeProvider;
let vendor: ScriptedOpenAi;
let system: System;
let project: TestProject;
let customer: TestCustomer;
let client: OpenAI;

beforeAll(async () => {
  fake = await startFakeProvider({ apiKey: 'k-upstream' });
  vendor = await startScriptedOpenAi();
  system = await startSystem({
    mode: 'one process',
    env: {
      ...toVendorEnv({ ...fake, baseUrl: vendor.baseUrl }),
      XAI_BASE_URL: vendor.baseUrl,
      XAI_API_KEY: 'k-upstream',
    },
  });
}, START_MS);

afterAll(async () => {
  await system?.stop();
  await vendor?.stop();
  await fake?.stop();
});

beforeEach(async () => {
  project = await system.project();
  customer = await buyer(100_000);
  client = openAiClient(system, customer.token);
  vendor.answer(({ body }) => ({ json: completion(body.n ?? 1) }));
});

function buyer(spendLimitCents: number): Promise<TestCustomer> {
  const models = [OPENAI, XAI, ANTHROPIC, GOOGLE].map((model_id, i) => ({
    model_id,
    is_default: i === 0,
    input_price_per_million_cents: PRICE.input,
    output_price_per_million_cents: PRICE.output,
  }));
  return project.customerOn('free', { spendLimitCents, tier: { models } });
}

async function dropUnsupported(): Promise<void> {
  const { project: updated } = must(
    await project.owner.put(`/projects/${project.id}`, { unsupported_parameters: 'drop' }),
    200,
  );
  expect(updated.unsupported_parameters).toBe('drop');
}

function completion(choices: number): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-9',
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      message: { role: 'assistant', content: `answer ${index}`, refusal: null },
      logprobs: { content: [{ token: 'answer', logprob: -0.1, bytes: null, top_logprobs: [] }], refusal: null },
      finish_reason: 'stop',
    })),
    usage: USAGE,
  };
}

async function spent(of: TestCustomer): Promise<number> {
  return must(await of.api.get('/customers/me/usage'), 200).usage.total_cost_microcents;
}

function cost({ prompt_tokens: input, completion_tokens: output }: typeof USAGE): number {
  return input * PRICE.input + output * PRICE.output;
}

describe('parameters that a provider lacks', () => {
  it.each([
    [ANTHROPIC, 'presence_penalty', { presence_penalty: 0.5 }],
    [ANTHROPIC, 'frequency_penalty', { frequency_penalty: 0.5 }],
    [ANTHROPIC, 'n', { n: 2 }],
    [GOOGLE, 'logprobs', { logprobs: true, top_logprobs: 2 }],
    [XAI, 'top_k', { top_k: 5 }],
  ])('refuses them by name by default: %s, %s', async (model, param, more) => {
    await expect(client.chat.completions.create({ model, messages, ...more })).rejects.toMatchObject({
      status: 400,
      param,
      message: expect.stringContaining(`${param} is not supported by this model`),
    });
    expect(vendor.calls).toEqual([]);
    expect(await spent(customer)).toBe(0);
  });

  it.each([false, true])('drops them with a warning where the project wants it (streamed: %s)', async (stream) => {
    await dropUnsupported();
    const asked = { model: ANTHROPIC, messages, seed: 7, logprobs: true, top_k: 5, max_tokens: 50, n: 3, stream };
    const { response } = await client.chat.completions.create(asked).withResponse();
    expect(response.headers.get(HEADER)).toBe('logprobs, n, seed, top_k');
    const { body } = fake.requests.at(-1)!;
    expect(body).toMatchObject({ max_tokens: 50 });
    for (const name of ['seed', 'logprobs', 'n', 'top_k']) expect(body).not.toHaveProperty(name);
  });

  it('names a dropped hint, which is never refused', async () => {
    const { response } = await client.chat.completions.create({ model: ANTHROPIC, messages, seed: 7 }).withResponse();
    expect(response.headers.get(HEADER)).toBe('seed');
    expect(fake.requests.at(-1)!.body).not.toHaveProperty('seed');
  });

  it('leaves them out of forwarded bodies too', async () => {
    await dropUnsupported();
    const asked = { model: XAI, messages, seed: 7, top_k: 5 };
    const { response } = await client.chat.completions.create(asked).withResponse();
    expect(response.headers.get(HEADER)).toBe('top_k');
    expect(vendor.calls[0]!.body).toMatchObject({ seed: 7 });
    expect(vendor.calls[0]!.body).not.toHaveProperty('top_k');
  });

  it('passes them on where the provider has them, without a warning', async () => {
    const google = { seed: 7, top_k: 5, frequency_penalty: 0.5, presence_penalty: -0.5 };
    const answer = await client.chat.completions.create({ model: GOOGLE, messages, ...google }).withResponse();
    expect(answer.response.headers.get(HEADER)).toBeNull();
    expect(fake.requests.at(-1)!.body.generationConfig).toMatchObject({
      seed: 7,
      topK: 5,
      frequencyPenalty: 0.5,
      presencePenalty: -0.5,
    });
    const openai = { ...google, logprobs: true, top_logprobs: 2 };
    const forwarded = await client.chat.completions.create({ model: OPENAI, messages, ...openai });
    expect(vendor.calls[0]!.body).toMatchObject(openai);
    expect(forwarded.choices[0]!.logprobs!.content![0]!.token).toBe('answer');
  });
});

describe('several choices', () => {
  it("holds funds for all answers and charges the vendor's usage", async () => {
    const answer = await client.chat.completions.create({ model: OPENAI, messages, n: 3, max_tokens: 100 });
    expect(answer.choices.map(({ message }) => message.content)).toEqual(['answer 0', 'answer 1', 'answer 2']);
    expect(vendor.calls[0]!.body).toMatchObject({ n: 3, max_tokens: 100 });
    expect(await spent(customer)).toBe(cost(USAGE));
  });

  it('refuses them when the funds cover one answer only', async () => {
    // One cent buys 1,666 tokens of output.
    const poor = openAiClient(system, (await buyer(1)).token);
    const asked = { model: OPENAI, messages, max_tokens: 1_000 };
    await expect(poor.chat.completions.create({ ...asked, n: 2 })).rejects.toMatchObject({ status: 402 });
    expect(vendor.calls).toEqual([]);
    expect((await poor.chat.completions.create(asked)).choices).toHaveLength(1);
  });

  it("holds each answer's usual bound if the client names none", async () => {
    await client.chat.completions.create({ model: OPENAI, messages, n: 2 });
    expect(vendor.calls[0]!.body.max_tokens).toBe(8_192);
  });

  it('streams until the last one has finished, and charges what the vendor reports', async () => {
    const chunk = (choices: object[], more = {}) => ({
      id: 'chatcmpl-2',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'gpt-9',
      choices,
      ...more,
    });
    const text = (index: number, content: string) => ({
      index,
      delta: { role: 'assistant', content },
      finish_reason: null,
    });
    const end = (index: number) => ({ index, delta: {}, finish_reason: 'stop' });
    vendor.answer(() => ({
      events: [
        chunk([text(0, 'one')]),
        chunk([end(0)]),
        chunk([text(1, 'two')]),
        chunk([end(1)]),
        chunk([], { usage: USAGE }),
        '[DONE]',
      ],
    }));
    const answer = await client.chat.completions.stream({ model: OPENAI, messages, n: 2 }).finalChatCompletion();
    expect(answer.choices.map(({ message }) => message.content)).toEqual(['one', 'two']);
    expect(await spent(customer)).toBe(cost(USAGE));
  });

  it.each([0, 129, 1.5])('refuses %s of them', async (n) => {
    await expect(client.chat.completions.create({ model: OPENAI, messages, n })).rejects.toMatchObject({
      status: 400,
      param: 'n',
    });
  });
});
