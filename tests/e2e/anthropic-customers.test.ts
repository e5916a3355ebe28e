// How Anthropic's unmodified client library handles errors, and what its customer pays.
import Anthropic from '@anthropic-ai/sdk';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { anthropicClient, countingAnthropic } from '../system/library-clients.js';
import { must, SANDBOX_MODEL, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const system = useSystem();
const project = useProject(system);
let client: Anthropic;

beforeAll(async () => {
  client = anthropicClient(system, project.secretKey);
});

const max_tokens = 500;

function user(content: Anthropic.MessageParam['content']): Anthropic.MessageParam {
  return { role: 'user', content };
}

describe('what the messages dialect cannot do here', () => {
  it.each([
    ['a tool of Anthropic', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    [
      'an image by an unencrypted address',
      { messages: [user([{ type: 'image', source: { type: 'url', url: 'http://x.example/' } }])] },
    ],
    ['a stored file', { messages: [user([{ type: 'document', source: { type: 'file', file_id: 'f' } }])] }],
    ['a faster speed', { speed: 'fast' }],
    ['no bound', { max_tokens: undefined }],
    ['a choice of an absent tool', { tool_choice: { type: 'tool', name: 'nope' } }],
  ])('refuses %s with a reason', async (_what, more) => {
    const asked = { model: SANDBOX_MODEL, max_tokens, messages: [user('hi')], ...more };
    const error = await client.messages.create(asked as Anthropic.MessageCreateParamsNonStreaming).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error).toMatchObject({ type: 'invalid_request_error' });
    expect((error as InstanceType<typeof Anthropic.APIError>).apiMessage).not.toBe('Invalid input');
  });
});

describe('a repeated request', () => {
  it.each([
    ['a provider that fails', 'fail with 500', [500, 500, 500]],
    ['a provider that is busy', 'fail with 429', [429, 429, 429]],
    ['a provider without funds', 'fail with 402', [402]],
    ['a request that its provider refuses', 'fail with 400', [400]],
  ])('retries only as often as it may help: %s', async (_what, text, expected) => {
    const counted = countingAnthropic(system, project.secretKey);
    const before = system.provider.requests.length;
    const asked = { model: UPSTREAM_MODEL, max_tokens, messages: [user(text)] };
    await expect(counted.client.messages.create(asked)).rejects.toBeInstanceOf(Anthropic.APIError);
    expect(counted.statuses).toEqual(expected);
    expect(system.provider.requests.length - before).toBe(expected.length);
  });

  it('charges once for an Idempotency-Key and rejects another request under it', async () => {
    const customer = await project.customerOn('free');
    const mine = anthropicClient(system, customer.token);
    const ask = (content: string) =>
      mine.messages.create(
        { model: UPSTREAM_MODEL, max_tokens, messages: [user(content)] },
        { headers: { 'Idempotency-Key': 'the-same' } },
      );
    const first = await ask('hello');
    expect(await ask('hello')).toEqual({ ...first });
    await expect(ask('other')).rejects.toMatchObject({ status: 409, type: 'conflict_error' });
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage.requests).toBe(1);
  });
});

describe('a customer with client.messages', () => {
  it('pays for exactly the reported usage, plain and streamed', async () => {
    const customer = await project.customerOn('free');
    const mine = anthropicClient(system, customer.token);
    const asked = { model: UPSTREAM_MODEL, max_tokens, messages: [user('hello')] };
    const plain = await mine.messages.create(asked);
    await mine.messages.stream(asked).finalMessage();
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    const { input_tokens, output_tokens } = plain.usage;
    expect(usage.total_cost_microcents).toBe(2 * (input_tokens * 200 + output_tokens * 600));
  });

  it('charges a customer that leaves in the middle of a stream for what was delivered', async () => {
    const customer = await project.customerOn('free');
    const stream = anthropicClient(system, customer.token).messages.stream({
      model: UPSTREAM_MODEL,
      max_tokens,
      messages: [user('say 300 tokens, slow 10 ms')],
    });
    let deltas = 0;
    for await (const { type } of stream) if (type === 'content_block_delta' && ++deltas === 5) break;
    const readUsage = async () => must(await customer.api.get('/customers/me/usage'), 200).usage;
    await waitUntil(async () => (await readUsage()).requests === 1, { what: 'the settlement' });
    const call = system.provider.journal.entries().at(-1)!;
    expect(call.outcome).toBe('client_gone');
    const { total_cost_microcents: cost } = await readUsage();
    const billed = (cost - call.inputTokens * 200) / 600;
    expect(billed).toBeGreaterThanOrEqual(5);
    expect(billed).toBeLessThanOrEqual(call.outputTokens);
  });

  it('receives one error that its wallet is empty', async () => {
    const customer = await project.customerOn('paygo', { walletMicrocents: 1n });
    const counted = countingAnthropic(system, customer.token);
    const asked = { model: UPSTREAM_MODEL, max_tokens, messages: [user('hello')] };
    await expect(counted.client.messages.create(asked)).rejects.toMatchObject({ status: 402, type: 'billing_error' });
    expect(counted.statuses).toEqual([402]);
  });
});
