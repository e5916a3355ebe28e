// The vendors' own libraries, unmodified, with models of other vendors: what a vendor's API accepts and another one lacks.
import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FakeProvider, startFakeProvider } from '@tollgate/testkit';
import type OpenAI from 'openai';
import { anthropicClient, openAiClient } from '../system/library-clients.js';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';
import { toVendorEnv } from '../system/vendor-env.js';

const GPT = 'test/openai-1';
const CLAUDE = 'test/anthropic-1';
const GEMINI = 'test/google-1';
const PRICE = { input: 200, output: 600 };
const tier = {
  models: [GPT, CLAUDE, GEMINI].map((model_id, i) => ({
    model_id,
    is_default: i === 0,
    input_price_per_million_cents: PRICE.input,
    output_price_per_million_cents: PRICE.output,
  })),
};

let upstream: FakeProvider;
let system: System;
let project: TestProject;
let customer: TestCustomer;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  upstream = await startFakeProvider({ apiKey: 'k-upstream' });
  system = await startSystem({
    mode: 'one process',
    env: {
      ...toVendorEnv(upstream),
      OPENAI_RESPONSES_API: '1',
    },
  });
  project = await system.project();
  customer = await project.customerOn('free', { spendLimitCents: 100_000, tier });
  openai = openAiClient(system, customer.token);
  anthropic = anthropicClient(system, customer.token);
}, START_MS);

afterAll(async () => {
  await system?.stop();
  await upstream?.stop();
});

async function spent(): Promise<number> {
  return must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents;
}

/** Checks that the customer paid exactly for the tokens that the vendor served in `work`, and returns its result. */
async function billed<Result>(work: () => Promise<Result>): Promise<Result> {
  const [spentBefore, servedBefore] = [await spent(), upstream.journal.totals()];
  const result = await work();
  const served = upstream.journal.totals();
  const input = served.inputTokens - servedBefore.inputTokens;
  const output = served.outputTokens - servedBefore.outputTokens;
  expect(served.calls - servedBefore.calls).toBe(1);
  expect(input).toBeGreaterThan(0);
  expect((await spent()) - spentBefore).toBe(input * PRICE.input + output * PRICE.output);
  return result;
}

describe('a request with only system messages', () => {
  const models = [GPT, CLAUDE, GEMINI];

  it.each(models)('gets a chat completion of %s, plain and streamed', async (model) => {
    const messages = [{ role: 'system' as const, content: 'Name a mountain.' }];
    const answer = await billed(() => openai.chat.completions.create({ model, messages }));
    expect(answer.choices[0]?.message.content).not.toBe('');
    const streamed = await billed(() => openai.chat.completions.stream({ model, messages }).finalChatCompletion());
    expect(streamed.choices[0]?.message.content).toBe(answer.choices[0]?.message.content);
  });

  it.each(models)('gets a response of %s', async (model) => {
    const input = [{ role: 'developer' as const, content: 'Name a mountain.' }];
    const answer = await billed(() =>
      openai.responses.create({ model, instructions: 'Be short.', input, store: false }),
    );
    expect(answer.status).toBe('completed');
    expect(answer.output_text).not.toBe('');
  });

  it.each(models)('gets a message of %s', async (model) => {
    const messages = [{ role: 'system' as const, content: 'Name a mountain.' }];
    const asked = { model, max_tokens: 50, system: 'Be short.', messages: messages as never };
    const answer = await billed(() => anthropic.messages.create(asked));
    expect(answer.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/./) }]);
  });

  it.each(models)('gets a native answer of %s', async (model) => {
    const content = [{ type: 'text', text: 'Name a mountain.' }];
    const body = { model, input: [{ type: 'message', role: 'system', content }] };
    const answer = await billed(async () => must(await customer.api.post('/responses', body), 200));
    expect(answer.output[0].content[0].text).not.toBe('');
  });

  it('becomes a message of the user where the vendor needs one', async () => {
    const messages = [
      { role: 'system' as const, content: 'Be short.' },
      { role: 'developer' as const, content: 'Name a mountain.' },
    ];
    await openai.chat.completions.create({ model: CLAUDE, messages });
    expect(upstream.requests.at(-1)?.body).toMatchObject({
      system: 'Be short.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Name a mountain.' }] }],
    });
    await openai.chat.completions.create({ model: GEMINI, messages });
    expect(upstream.requests.at(-1)?.body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be short.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Name a mountain.' }] }],
    });
  });
});

describe('an image by its URL', () => {
  const url = 'https://images.example.com/a.png';

  function chatWith(model: string, imageUrl: string) {
    const content = [
      { type: 'text' as const, text: 'see' },
      { type: 'image_url' as const, image_url: { url: imageUrl } },
    ];
    return { model, messages: [{ role: 'user' as const, content }], max_tokens: 50 };
  }

  it('reaches Anthropic as a URL from the chat endpoint and from responses', async () => {
    await billed(() => openai.chat.completions.create(chatWith(CLAUDE, url)));
    const image = { type: 'image', source: { type: 'url', url } };
    const sent = [{ content: [{ type: 'text', text: 'see' }, image] }];
    expect(upstream.requests.at(-1)?.body.messages).toMatchObject(sent);
    const content = [
      { type: 'input_text' as const, text: 'see' },
      { type: 'input_image' as const, image_url: url, detail: 'auto' as const },
    ];
    await billed(() => openai.responses.create({ model: CLAUDE, input: [{ role: 'user', content }], store: false }));
    expect(upstream.requests.at(-1)?.body.messages).toMatchObject(sent);
  });

  it('reaches OpenAI as a URL from messages', async () => {
    const source = { type: 'url' as const, url };
    const content = [
      { type: 'text' as const, text: 'see' },
      { type: 'image' as const, source },
    ];
    const asked = { model: GPT, max_tokens: 50, messages: [{ role: 'user' as const, content }] };
    await billed(() => anthropic.messages.create(asked));
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain(url);
    await billed(() => anthropic.messages.stream(asked).finalMessage());
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain(url);
  });

  it.each([
    'https://127.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/a.png',
    'https://[::1]/a',
  ])('fails at %s without a request to it, and costs nothing', async (address) => {
    const [before, calls] = [await spent(), upstream.requests.length];
    await expect(openai.chat.completions.create(chatWith(GEMINI, address))).rejects.toMatchObject({
      status: 400,
      code: 'invalid_image_url',
      param: 'messages[0].content[1].image_url.url',
      message: expect.stringContaining(address),
    });
    expect([await spent(), upstream.requests.length]).toEqual([before, calls]);
  });

  it('counts against the funds before a request to its server', async () => {
    // Enough for the text and its answer, but not for the most expensive image.
    const poor = await project.customerOn('free', { spendLimitCents: 2, tier });
    const poorClient = openAiClient(system, poor.token);
    const text = { ...chatWith(GEMINI, ''), messages: [{ role: 'user' as const, content: 'see' }] };
    expect((await poorClient.chat.completions.create(text)).choices).toHaveLength(1);
    const asked = poorClient.chat.completions.create(chatWith(GEMINI, 'https://127.0.0.1/a.png'));
    await expect(asked).rejects.toMatchObject({ status: 402 });
  });
});
