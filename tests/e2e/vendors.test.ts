// The four vendors behind the whole system, each a fake server that speaks its wire format: the same request gets
// the same answer at the same cost from each vendor, plain and streamed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, responsesBody, startFakeProvider } from '@tollgate/testkit';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';
import { toVendorEnv } from '../system/vendor-env.js';

const VENDORS = ['openai', 'anthropic', 'google-ai-studio', 'xai'] as const;
type Vendor = (typeof VENDORS)[number];

const models: Record<Vendor, string> = {
  openai: 'test/openai-1',
  anthropic: 'test/anthropic-1',
  'google-ai-studio': 'test/google-1',
  xai: 'test/xai-1',
};
/** Price of the tier per token. */
const PRICE = { input: 200, output: 600 };
/** In microcents: a thousand searches are 1,000 cents, independent of the tier’s token prices. */
const FEE_OF_TWO_SEARCHES = 2_000_000;

let upstream: Awaited<ReturnType<typeof startFakeProvider>>;
let system: System;
let project: TestProject;
let customer: TestCustomer;

beforeAll(async () => {
  upstream = await startFakeProvider({ apiKey: 'k-upstream' });
  system = await startSystem({
    mode: 'one process',
    env: {
      ...toVendorEnv(upstream),
      XAI_BASE_URL: upstream.baseUrl,
      XAI_API_KEY: 'k-upstream',
    },
  });
  project = await system.project();
  customer = await project.customerOn('free', {
    spendLimitCents: 100_000,
    tier: {
      models: [...Object.values(models), 'test/json-1'].map((model_id, i) => ({
        model_id,
        is_default: i === 0,
        input_price_per_million_cents: PRICE.input,
        output_price_per_million_cents: PRICE.output,
      })),
    },
  });
}, START_MS);

afterAll(async () => {
  await system?.stop();
  await upstream?.stop();
});

/** The answer and what the customer was charged for it. */
async function ask(body: object): Promise<{ answer: Json; charged: number }> {
  const before = await spent();
  const answer = must(await customer.api.post('/responses', body), 200);
  return { answer, charged: (await spent()) - before };
}

async function stream(body: object): Promise<{ events: Json[]; charged: number }> {
  const before = await spent();
  const events = await (await customer.api.ndjson('/responses', body)).all();
  return { events, charged: (await spent()) - before };
}

async function spent(): Promise<number> {
  return must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents;
}

/** An answer without its id, model and provider; the ids of tool calls are replaced. */
function normalized(answer: Json): Json {
  const { id, model, provider, ...rest } = answer;
  expect([typeof id, id.length > 0]).toEqual(['string', true]);
  for (const call of rest.output[0].tool_calls ?? []) call.id = typeof call.id;
  return rest;
}

function readCost(usage: Json): number {
  return usage.input_tokens * PRICE.input + usage.output_tokens * PRICE.output;
}

/** One pixel: vendors look at an image's bytes. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'file', file: { data_base64: PNG, mime_type: 'image/png' } };
const weather = {
  type: 'function',
  function: {
    name: 'weather.get',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const schema = {
  type: 'object',
  properties: { n: { type: 'integer' }, note: { type: ['string', 'null'] } },
  required: ['n'],
};
const jsonSchema = { type: 'json_schema', json_schema: { name: 'doc', schema } };

const conversation = [
  { type: 'message', role: 'system', content: [{ type: 'text', text: 'Be short.' }] },
  { type: 'message', role: 'user', content: [{ type: 'text', text: 'Grüße, 世界 👋' }, image] },
];

const requests: [what: string, body: object, expected: object][] = [
  [
    'a conversation with an image',
    { input: conversation, temperature: 0.5 },
    {
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'You said: Grüße, 世界 👋' }] }],
      stop_reason: 'stop',
    },
  ],
  [
    'an answer that is cut',
    responsesBody('say 40 tokens', { max_output_tokens: 7 }),
    { stop_reason: 'max_tokens', usage: { output_tokens: 7 } },
  ],
  [
    'a stop sequence',
    responsesBody('one two three', { stop: ['two'] }),
    { output: [{ content: [{ type: 'text', text: 'You said: one ' }] }], stop_reason: 'stop' },
  ],
  [
    'a tool that must be called',
    responsesBody('Zürich?', { tools: [weather], tool_choice: { type: 'required', function: 'weather.get' } }),
    {
      output: [
        { tool_calls: [{ type: 'function', function: { name: 'weather.get', arguments: '{"city":"sample"}' } }] },
      ],
      stop_reason: 'tool_use',
    },
  ],
  [
    'structured output',
    responsesBody('go', { output_format: jsonSchema }),
    { output: [{ content: [{ type: 'text', text: '{"n":1,"note":"sample"}' }] }], stop_reason: 'stop' },
  ],
];

describe.each(requests)('%s', (_what, body, expected) => {
  const answers: Json[] = [];

  it.each(VENDORS)('answers by %s and charges its tokens', async (vendor) => {
    const { answer, charged } = await ask({ ...body, model: models[vendor] });
    expect(answer).toMatchObject({ provider: vendor, model: models[vendor], ...expected });
    expect(charged).toBe(readCost(answer.usage));
    answers.push(normalized(answer));
  });

  it.each(VENDORS)('streams by %s to the same end at the same price', async (vendor) => {
    const { events, charged } = await stream({ ...body, model: models[vendor] });
    const [first, last] = [events[0], events.at(-1)];
    expect(first).toMatchObject({ type: 'start', provider: vendor, model: models[vendor] });
    const plain = answers[VENDORS.indexOf(vendor)]!;
    expect(last).toMatchObject({ type: 'completion', stop_reason: plain.stop_reason, usage: plain.usage });
    const text = plain.output[0].content[0]?.text;
    if (last.payload !== undefined) expect(last.payload).toEqual(JSON.parse(text));
    else if (text !== undefined) expect(last.content).toBe(text);
    for (const [i, call] of (last.tool_calls ?? []).entries()) {
      expect(call.function).toEqual(plain.output[0].tool_calls[i].function);
    }
    expect(charged).toBe(readCost(plain.usage));
  });

  it('returns the same answer for every vendor', () => {
    expect(answers).toHaveLength(VENDORS.length);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('a conversation with the result of a tool', () => {
  it.each(VENDORS)('continues at %s', async (vendor) => {
    const input = [
      { type: 'message', role: 'user', content: [{ type: 'text', text: 'Zürich?' }] },
      {
        type: 'message',
        role: 'assistant',
        tool_calls: [{ id: 'call.1', type: 'function', function: { name: 'weather.get', arguments: '{"city":"Z"}' } }],
      },
      { type: 'message', role: 'tool', tool_call_id: 'call.1', content: [{ type: 'text', text: 'sunny' }] },
    ];
    const { answer } = await ask({ input, tools: [weather], model: models[vendor] });
    expect(answer.output[0].content[0].text).toBe('The tool said: sunny');
  });
});

describe('searches of the vendor', () => {
  it.each(VENDORS)('returns the sources of %s and charges its fee', async (vendor) => {
    const body = responsesBody('search 2 times', { tools: [{ type: 'web' }], model: models[vendor] });
    const { answer, charged } = await ask(body);
    expect(answer.citations).toEqual([
      { title: 'Page 1', url: 'https://example.org/1' },
      { title: 'Page 2', url: 'https://example.org/2' },
    ]);
    expect(answer.usage.web_search_requests).toBe(2);
    expect(charged).toBe(readCost(answer.usage) + FEE_OF_TWO_SEARCHES);
    const { events, charged: chargedForStream } = await stream(body);
    expect(events.at(-1)).toMatchObject({ citations: answer.citations, usage: answer.usage });
    expect(chargedForStream).toBe(charged);
  });

  it('searches posts only with xAI', async () => {
    const body = (vendor: Vendor): object =>
      responsesBody('search 1 times', { tools: [{ type: 'x_search' }], model: models[vendor] });
    expect((await ask(body('xai'))).answer.citations).toHaveLength(1);
    const refused = await customer.api.post('/responses', body('openai'));
    expect([refused.status, refused.body.code]).toEqual([400, 'MODEL_CAPABILITY_UNSUPPORTED']);
  });

  it('rejects images without a known price', async () => {
    const body = responsesBody('go', { tools: [{ type: 'code_execution' }], model: models.openai });
    const refused = await customer.api.post('/responses', body);
    expect([refused.status, refused.body.code]).toEqual([400, 'MODEL_CAPABILITY_UNSUPPORTED']);
  });
});

describe('errors', () => {
  it.each(VENDORS.flatMap((vendor) => [429, 500, 401].map((status) => [vendor, status] as const)))(
    'reports that %s answered %i, without the key and free of charge',
    async (vendor, status) => {
      const before = await spent();
      const body = responsesBody(`fail with ${status}`, { model: models[vendor] });
      const asOwner = await project.api.post('/responses', body);
      expect([asOwner.body.code, asOwner.body.status_code]).toEqual(['PROVIDER_ERROR', status]);
      expect(asOwner.body.provider_request_id).toMatch(/^req_fake_\d+$/);
      expect(asOwner.text).not.toMatch(/api.key/i);
      expect(await spent()).toBe(before);
    },
  );

  it.each(VENDORS)('reports %s without funds as a payment error to the owner alone', async (vendor) => {
    const body = responsesBody('fail with 402', { model: models[vendor] });
    const asOwner = await project.api.post('/responses', body);
    expect([asOwner.status, asOwner.body.code]).toEqual([402, 'UPSTREAM_PAYMENT_REQUIRED']);
    const asCustomer = await customer.api.post('/responses', body);
    expect([asCustomer.status, asCustomer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  it.each(VENDORS)('ends a stream that %s cuts with an error, and charges what was delivered', async (vendor) => {
    const { events, charged } = await stream(
      responsesBody('cut after 5 tokens, say 30 tokens', { model: models[vendor] }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'PROVIDER_ERROR' });
    expect(charged).toBeGreaterThan(5 * PRICE.output);
  });
});

describe('what a vendor cannot do', () => {
  it('refuses the request without calling the vendor', async () => {
    const before = upstream.requests.length;
    const body = responsesBody('go', { model: models.anthropic, output_format: { type: 'json_object' } });
    const refused = await customer.api.post('/responses', body);
    expect([refused.status, refused.body.code]).toEqual([400, 'MODEL_CAPABILITY_UNSUPPORTED']);
    expect(upstream.requests).toHaveLength(before);
  });

  it('uses the next route that can serve the request', async () => {
    const body = responsesBody('go', { model: 'test/json-1', output_format: { type: 'json_object' } });
    expect((await ask(body)).answer).toMatchObject({ provider: 'google-ai-studio', stop_reason: 'stop' });
  });
});
