// Requests that continue stored responses: what is admitted and sent on, and what is refused before anything is spent.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdmitRequest, BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { type GenerateRequest, InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { BackgroundResponseService } from '@tollgate/contracts/workflow/v1/background_responses_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { countResponseTokens } from '../routes/compatible/count-tokens.js';

const MIB = 1024 * 1024;
const CONVERSATION_KEY = '6f9d3f0c-5a5e-4a54-9a51-222222222222';
const PREVIOUS_KEY = '6f9d3f0c-5a5e-4a54-9a51-111111111111';

let admits: AdmitRequest[];
let generated: GenerateRequest[];
let history: unknown[];
/** Sent as it is for the history and for each referenced item, if set. */
let storedText: string | undefined;
/** Calls of other services, in order. */
let events: string[];
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, {
    admit: (req) => {
      admits.push(req);
      return { decision: { case: 'admitted', value: { modelId: 'sandbox/echo-1', maxOutputTokens: 100 } } };
    },
  });
  const inference = peer(InferenceService, {
    generate: async function* (req) {
      generated.push(req);
      yield { data: new TextEncoder().encode('{"ok":1}'), usage: { inputTokens: 1n, outputTokens: 1n } };
    },
  });
  const holds = peer(HoldService, {
    supersedeHolds: ({ holdIds }) => {
      events.push(`superseded ${holdIds}`);
      return {};
    },
  });
  const stored = peer(StoredResponseService, {
    readHistory: ({ conversationId, itemIds }) => {
      events.push('read');
      return {
        hasPrevious: true,
        hasConversation: conversationId !== '',
        previousKey: PREVIOUS_KEY,
        conversationKey: conversationId === '' ? '' : CONVERSATION_KEY,
        itemsJson: Buffer.from(itemIds.length > 0 ? '[]' : (storedText ?? JSON.stringify(history))),
        referenced: itemIds.map((id) => ({ id, itemJson: Buffer.from(storedText ?? JSON.stringify(history[0])) })),
      };
    },
    discardAttempt: ({ holdId }) => {
      events.push(`discarded ${holdId}`);
      return {};
    },
  });
  const background = peer(BackgroundResponseService, { discardBackgroundResponse: () => ({}) });
  const peers = [billing, holds, inference, stored, background];
  harness = await startRouteTest('stateful_turns', [countResponseTokens], peers, {
    env: { RESPONSE_STORAGE: '1' },
  });
});
afterAll(() => harness.stop());
beforeEach(() => {
  admits = [];
  generated = [];
  history = [];
  storedText = undefined;
  events = [];
});

const toMessage = (text: string, role = 'user') => ({ type: 'message', role, content: text });
const ask = (body: object) =>
  request(harness.app)
    .post('/v1/responses')
    .set({ authorization: `Bearer ${harness.tenant.secretKey}` })
    .send({ model: 'sandbox/echo-1', input: 'and?', previous_response_id: 'resp_1', ...body });
const sent = () => JSON.parse(Buffer.from(generated[0]!.body).toString('utf8'));

describe('a request that continues a response', () => {
  it('admits and sends the whole conversation', async () => {
    history = [toMessage('one'), toMessage('a long answer '.repeat(100), 'assistant')];
    expect((await ask({})).status).toBe(200);
    expect(sent().input).toEqual([...history, toMessage('and?')]);
    expect(generated[0]!.storage).toMatchObject({ previousKey: PREVIOUS_KEY, historyItems: 2 });
    expect(Number(admits[0]!.inputTokensEstimate)).toBeGreaterThan(100);
  });

  it('stores nothing with store: false', async () => {
    history = [toMessage('one')];
    expect((await ask({ store: false })).status).toBe(200);
    expect(generated[0]!.storage).toBeUndefined();
  });

  it('fails before admission when the conversation is larger than a body may be', async () => {
    history = [toMessage('x'.repeat(20 * MIB))];
    const { status } = await ask({ input: 'x'.repeat(13 * MIB) });
    expect([status, admits.length, generated.length]).toEqual([413, 0, 0]);
  });

  it('fails before admission when the conversation has more items than a body may have', async () => {
    history = Array.from({ length: 10_000 }, () => toMessage('x'));
    const { status, body } = await ask({});
    expect([status, admits.length, generated.length]).toEqual([400, 0, 0]);
    expect(body.error).toMatchObject({ param: 'input' });
  });
});

describe('the memory that stored items take', () => {
  const paths = ['/v1/responses', '/v1/responses/input_tokens'];
  const send = (path: string, body: object) =>
    request(harness.app)
      .post(path)
      .set({ authorization: `Bearer ${harness.tenant.secretKey}` })
      .send({ model: 'sandbox/echo-1', input: 'and?', ...body });
  const references = (count: number) => Array.from({ length: count }, () => ({ type: 'item_reference', id: 'msg_1' }));

  it('puts an item at each place that names it', async () => {
    history = [toMessage('one')];
    expect((await send(paths[0]!, { input: [...references(2), toMessage('and?')] })).status).toBe(200);
    expect(sent().input).toEqual([...history, ...history, toMessage('and?')]);
  });

  // The stored text is not JSON: parsing it would answer 500.
  it.each(paths)('refuses at %s a short body that names a long item often, before it parses the item', async (path) => {
    storedText = 'x'.repeat(MIB);
    const { status } = await send(path, { input: references(33) });
    expect([status, admits.length, harness.ctx.bodies.bytes]).toEqual([413, 0, 0]);
  });

  it.each(paths)(
    'refuses at %s a request while other bodies fill the memory, before it parses the history',
    async (path) => {
      storedText = 'x'.repeat(MIB);
      const { bodies } = harness.ctx;
      const taken = { first: fill('first'), second: fill('second') };
      // Enough for the request itself.
      bodies.giveBack('first', MIB / 4);
      const { status } = await send(path, { previous_response_id: 'resp_1' });
      bodies.giveBack('first', taken.first - MIB / 4);
      bodies.giveBack('second', taken.second);
      expect([status, events, admits.length, bodies.bytes]).toEqual([503, ['read'], 0, 0]);
    },
  );

  /** Takes what is left for the tenant in steps of 256 KiB. */
  function fill(tenant: string): number {
    let bytes = 0;
    while (harness.ctx.bodies.take(tenant, MIB / 4)) bytes += MIB / 4;
    return bytes;
  }
});

describe('a request in a conversation', () => {
  const inConversation = { previous_response_id: undefined, conversation: { id: 'conv_1' } };

  it('belongs to it, stored or not', async () => {
    history = [toMessage('one')];
    expect((await ask(inConversation)).status).toBe(200);
    expect((await ask({ ...inConversation, store: false })).status).toBe(200);
    const storage = { conversationKey: CONVERSATION_KEY, historyItems: 1 };
    expect(generated).toMatchObject([
      { storage: { ...storage, isUnlisted: false } },
      { storage: { ...storage, isUnlisted: true } },
    ]);
  });

  it('discards what an attempt has added that died, before the repeat reads the conversation', async () => {
    const send = () => ask(inConversation).set('Idempotency-Key', 'died-1').expect(200);
    await send();
    await harness.ctx.pool.query(
      "UPDATE idempotency_records SET status = NULL, claimed_until = now() - interval '1 s' WHERE key = 'died-1'",
    );
    await send();
    const { holdId } = admits[0]!;
    expect(events).toEqual(['read', `superseded ${holdId}`, `discarded ${holdId}`, 'read']);
  });
});
