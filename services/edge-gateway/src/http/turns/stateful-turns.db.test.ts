// Requests that continue stored responses: what is admitted and sent on, and what is refused before anything is spent.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdmitRequest, BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type GenerateRequest, InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';

const MIB = 1024 * 1024;
const PREVIOUS_KEY = '6f9d3f0c-5a5e-4a54-9a51-111111111111';

let admits: AdmitRequest[];
let generated: GenerateRequest[];
let history: unknown[];
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
  const stored = peer(StoredResponseService, {
    readHistory: () => ({
      hasPrevious: true,
      previousKey: PREVIOUS_KEY,
      itemsJson: Buffer.from(JSON.stringify(history)),
    }),
  });
  harness = await startRouteTest('stateful_turns', [], [billing, inference, stored], {
    env: { RESPONSE_STORAGE: '1' },
  });
});
afterAll(() => harness.stop());
beforeEach(() => {
  admits = [];
  generated = [];
  history = [];
});

const toMessage = (text: string, role = 'user') => ({ type: 'message', role, content: text });
const ask = (body: object) =>
  request(harness.app)
    .post('/v1/responses')
    .set({ authorization: `Bearer ${harness.tenant.secretKey}` })
    .send({ model: 'sandbox/echo-1', input: 'and?', previous_response_id: 'resp_1', ...body });
const sent = () => JSON.parse(Buffer.from(generated[0]!.body).toString('utf8'));

describe('a request that continues a response', () => {
  it('is admitted and sent with the whole conversation', async () => {
    history = [toMessage('one'), toMessage('a long answer '.repeat(100), 'assistant')];
    expect((await ask({})).status).toBe(200);
    expect(sent().input).toEqual([...history, toMessage('and?')]);
    expect(generated[0]!.storage).toMatchObject({ previousKey: PREVIOUS_KEY, historyItems: 2 });
    expect(Number(admits[0]!.inputTokensEstimate)).toBeGreaterThan(100);
  });

  it('is not stored with store: false', async () => {
    history = [toMessage('one')];
    expect((await ask({ store: false })).status).toBe(200);
    expect(generated[0]!.storage).toBeUndefined();
  });

  it('is refused before admission when the conversation is larger than a body may be', async () => {
    history = [toMessage('x'.repeat(20 * MIB))];
    const { status } = await ask({ input: 'x'.repeat(13 * MIB) });
    expect([status, admits.length, generated.length]).toEqual([413, 0, 0]);
  });

  it('is refused before admission when the conversation has more items than a body may have', async () => {
    history = Array.from({ length: 10_000 }, () => toMessage('x'));
    const { status, body } = await ask({});
    expect([status, admits.length, generated.length]).toEqual([400, 0, 0]);
    expect(body.error).toMatchObject({ param: 'input' });
  });
});
