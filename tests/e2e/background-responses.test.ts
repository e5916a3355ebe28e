// Responses that are made in the background, with OpenAI's unmodified client library: on a model that is forwarded, on a translated
// one and on the sandbox.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import OpenAI from 'openai';
import { catchOpenAiError, openAiClient } from '../system/library-clients.js';
import { SANDBOX_MODEL } from '../system/start-system.js';
import { computeCost, offerModels, useStoredState } from '../system/stored-state.js';

const FORWARDED = 'test/openai-1';
const TRANSLATED = 'test/anthropic-1';
const MODELS = [FORWARDED, TRANSLATED, SANDBOX_MODEL];

type Response = OpenAI.Responses.Response;

const { state, customer, newCustomer, spent } = useStoredState(MODELS);
let client: OpenAI;
beforeEach(() => {
  client = openAiClient(state.system, customer.token);
});

/** Polls as the vendor's guide does. */
function poll(id: string, api = client): Promise<Response> {
  return waitUntil(
    async () => {
      const response = await api.responses.retrieve(id);
      return ['queued', 'in_progress'].includes(response.status!) ? undefined : response;
    },
    { what: 'the end of the response', timeoutMs: 30_000 },
  );
}

describe.each(MODELS)('background responses of %s', (model) => {
  it('completes a queued response, charges it once, and continues it', async () => {
    const queued = await client.responses.create({
      model,
      input: 'the word is tollgate',
      background: true,
      metadata: { a: 'b' },
    });
    expect(queued).toMatchObject({ status: 'queued', background: true, store: true, output: [], model });
    expect(queued.usage).toBeNull();
    const done = await poll(queued.id);
    expect(done).toMatchObject({ id: queued.id, status: 'completed', background: true, model });
    expect(done.output_text).not.toBe('');
    expect(await spent()).toBe(computeCost(done));
    const roles: unknown[] = [];
    for await (const item of client.responses.inputItems.list(done.id)) roles.push('role' in item ? item.role : '');
    expect(roles).toEqual(['user']);
    const next = await client.responses.create({
      model,
      input: 'and?',
      previous_response_id: done.id,
      background: true,
    });
    const continued = await poll(next.id);
    expect(continued).toMatchObject({ status: 'completed', previous_response_id: done.id });
    expect(continued.usage!.input_tokens).toBeGreaterThan(done.usage!.input_tokens);
    expect(await spent()).toBe(computeCost(done) + computeCost(continued));
  });

  it('adds a response to its conversation', async () => {
    const conversation = await client.conversations.create({});
    const queued = await client.responses.create({
      model,
      input: 'the word is tollgate',
      background: true,
      conversation: conversation.id,
    });
    expect(await poll(queued.id)).toMatchObject({ status: 'completed', conversation: { id: conversation.id } });
    const { data } = await client.conversations.items.list(conversation.id, { order: 'asc' });
    expect(data.map((item) => ('role' in item ? item.role : item.type))).toEqual(['user', 'assistant']);
  });

  it('stops a response that is canceled', async () => {
    const input = 'say 400 tokens, write 400 words, slow 50 ms';
    const queued = await client.responses.create({ model, input, background: true });
    await waitUntil(async () => (await client.responses.retrieve(queued.id)).status === 'in_progress', {
      what: 'the start of the response',
    });
    expect(await client.responses.cancel(queued.id)).toMatchObject({ id: queued.id, status: 'cancelled', output: [] });
    expect(await client.responses.cancel(queued.id)).toMatchObject({ status: 'cancelled' });
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'cancelled', usage: null });
    await client.responses.delete(queued.id);
    expect(await catchOpenAiError(client.responses.retrieve(queued.id))).toBeInstanceOf(OpenAI.NotFoundError);
  });
});

it('does not ask the provider for a background response of its own', async () => {
  const { id } = await client.responses.create({ model: FORWARDED, input: 'hi', background: true });
  await poll(id);
  const { body } = state.upstream.requests.at(-1)! as unknown as { body: object };
  expect(body).toMatchObject({ store: false });
  expect(body).not.toHaveProperty('background');
});

it('reports a failure of the provider, and charges nothing', async () => {
  const queued = await client.responses.create({ model: FORWARDED, input: 'fail with 400', background: true });
  const failed = await poll(queued.id);
  expect(failed).toMatchObject({ status: 'failed', output: [], error: { code: expect.any(String) } });
  expect(await spent()).toBe(0);
});

it('refuses a request without funds at once', async () => {
  const poor = openAiClient(
    state.system,
    (await state.project.customerOn('paygo', { tier: { models: offerModels(MODELS) } })).token,
  );
  const refused = await catchOpenAiError(poor.responses.create({ model: FORWARDED, input: 'hi', background: true }));
  expect(refused).toMatchObject({ status: 402 });
});

it('queues a repeat with the same idempotency key once', async () => {
  const options = { headers: { 'Idempotency-Key': randomUUID() } };
  const ask = () => client.responses.create({ model: SANDBOX_MODEL, input: 'hi', background: true }, options);
  const [first, second] = [await ask(), await ask()];
  expect(second.id).toBe(first.id);
  const cost = computeCost(await poll(first.id));
  expect(await spent()).toBe(cost);
});

it('refuses store: false with background by name', async () => {
  const asked = client.responses.create({ model: SANDBOX_MODEL, input: 'hi', background: true, store: false });
  expect(await catchOpenAiError(asked)).toMatchObject({ status: 400, param: 'store' });
});

it('refuses to cancel a response that was not created in the background', async () => {
  const other = await client.responses.create({ model: SANDBOX_MODEL, input: 'hi' });
  expect(await catchOpenAiError(client.responses.cancel(other.id))).toMatchObject({ status: 400 });
});

it('shows a response to its customer and its project alone', async () => {
  const { id } = await client.responses.create({ model: SANDBOX_MODEL, input: 'hi', background: true });
  const stranger = openAiClient(state.system, (await newCustomer()).token);
  const foreign = openAiClient(state.system, (await state.system.project()).secretKey);
  for (const other of [stranger, foreign]) {
    expect(await catchOpenAiError(other.responses.retrieve(id))).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await catchOpenAiError(other.responses.cancel(id))).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await catchOpenAiError(other.responses.delete(id))).toBeInstanceOf(OpenAI.NotFoundError);
  }
  const done = await poll(id);
  for (const other of [stranger, foreign]) {
    const next = { model: SANDBOX_MODEL, input: 'and?', previous_response_id: id, background: true };
    expect(await catchOpenAiError(other.responses.create(next))).toMatchObject({ status: 400 });
  }
  const owner = openAiClient(state.system, state.project.secretKey);
  expect(await owner.responses.retrieve(id)).toMatchObject({ id, output: done.output });
});

it('works for a key of the project, and for a key that acts for a customer', async () => {
  const owner = openAiClient(state.system, state.project.secretKey);
  const queued = await owner.responses.create({ model: FORWARDED, input: 'hi', background: true });
  expect(await poll(queued.id, owner)).toMatchObject({ status: 'completed' });
  expect(await catchOpenAiError(client.responses.retrieve(queued.id))).toBeInstanceOf(OpenAI.NotFoundError);
  const headers = { 'X-Service-Customer-Id': customer.id };
  const scoped = await owner.responses.create({ model: FORWARDED, input: 'hi', background: true }, { headers });
  const cost = computeCost(await poll(scoped.id));
  expect(await spent()).toBe(cost);
});
