import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { type FakeProvider, startFakeProvider, waitUntil } from '@tollgate/testkit';
import { ask, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';

const stores = ['memory', ...(process.env.REDIS_URL ? ['redis'] : [])];
const modelId = 'test-mini';
const who = (projectId: string, customerId = '') =>
  create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, projectId, customerId });

describe.each(stores)('the response cache in %s', (store) => {
  let provider: FakeProvider;
  let system: InferenceSystem;
  let principal = who(randomUUID());
  let askedBefore = 0;
  const asked = () => provider.requests.length - askedBefore;

  beforeAll(async () => {
    provider = await startFakeProvider();
    system = await InferenceSystem.start({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'sk-test',
      ...(store === 'redis' && { REDIS_URL: process.env.REDIS_URL! }),
    });
    // Until its connection to Redis is ready, the cache keeps nothing.
    const isCached = async () => {
      const requests = provider.requests.length;
      await system.answer(body(), options());
      return provider.requests.length === requests;
    };
    await waitUntil(isCached, { what: 'the response cache' });
  });
  afterAll(async () => {
    await system.stop();
    await provider.stop();
  });
  beforeEach(() => {
    principal = who(randomUUID());
    askedBefore = provider.requests.length;
  });

  const options = (more: TurnOptions = {}): TurnOptions => ({ modelId, principal, usesCache: true, ...more });
  const body = (more: object = {}) => ask('what is 1 + 1', { model: modelId, temperature: 0, ...more });

  it('answers an identical request equally, asks no provider, and charges nothing', async () => {
    const ids = [randomUUID(), randomUUID()];
    const first = await system.answer(body(), options({ requestId: ids[0]! }));
    const again = await system.answer(body(), options({ requestId: ids[1]! }));
    expect(again).toEqual(first);
    expect(asked()).toBe(1);
    expect(system.ledger.findSettlement(ids[0]!).facts?.executionOrigin).toBe('provider');
    expect(system.ledger.findSettlement(ids[1]!)).toMatchObject({
      usage: { inputTokens: 0n, outputTokens: 0n },
      facts: { executionOrigin: 'response_cache', success: true, provider: 'openai' },
    });
  });

  it('replays a plain answer as a stream, and a streamed one as a plain answer', async () => {
    const streamed = (await system.events(body(), options())).map((text) => JSON.parse(text));
    const again = (await system.events(body(), options())).map((text) => JSON.parse(text));
    const plain = await system.answer(body(), options());
    expect(asked()).toBe(1);
    const { content, usage } = streamed.at(-1);
    expect(again.at(-1)).toMatchObject({ type: 'completion', content, usage });
    expect(plain.output[0].content[0].text).toBe(content);
  });

  it('caches answers of the chat dialect, whose bytes are otherwise forwarded', async () => {
    const chat = { model: modelId, temperature: 0, messages: [{ role: 'user', content: 'hello' }] };
    const asChat = options({ dialect: Dialect.OPENAI_CHAT });
    const answers = [await system.answer(chat, asChat), await system.answer(chat, asChat)];
    expect(asked()).toBe(1);
    expect(answers[1].choices).toEqual(answers[0].choices);
    expect(answers[1].usage).toEqual(answers[0].usage);
  });

  it.each([
    ['another project', {}, { principal: who(randomUUID()) }],
    ['another customer', {}, { isOtherCustomer: true }],
    ['another text', ask('what is 1 + 2'), {}],
    ['another bound of output', {}, { maxOutputTokens: 999 }],
    ['a request that does not ask for it', {}, { usesCache: false }],
  ])('does not answer %s', async (_what, changed, more) => {
    await system.answer(body(), options());
    const { isOtherCustomer, ...other } = more as TurnOptions & { isOtherCustomer?: boolean };
    if (isOtherCustomer) other.principal = who(principal.projectId, randomUUID());
    await system.answer({ ...body(), ...changed }, options(other));
    expect(asked()).toBe(2);
  });

  it.each([
    ['at another temperature', { temperature: 0.1 }],
    ['at none', { temperature: undefined }],
    ['with a tool of the service', { tools: [{ type: 'function', function: { name: 'kv_read' } }] }],
  ])('caches nothing %s', async (_what, more) => {
    for (let i = 0; i < 2; i++) await system.answer(body(more), options());
    expect(asked()).toBe(2);
  });

  it('caches no failure', async () => {
    provider.next({ status: 500 });
    await expect(system.answer(body(), options())).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    await system.answer(body(), options());
    expect(asked()).toBe(2);
  });
});
