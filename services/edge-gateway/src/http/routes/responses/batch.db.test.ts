import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { responsesBatchResponse } from '@tollgate/api/model-requests';
import { type AdmitRequest, BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { responseRouter } from './index.js';

const usage = { input_tokens: 2, output_tokens: 3, total_tokens: 5 };
let admits: AdmitRequest[] = [];
let superseded: string[] = [];
let inFlight = 0;
let most = 0;
/** The model's behavior by the text of the request. */
let model: (text: string, signal: AbortSignal) => Promise<void>;
let harness: RouteTest;

const billing = peer(BillingService, {
  admit: (req) => {
    admits.push(req);
    const isPoor = req.maxOutputTokens === 666;
    return {
      decision: isPoor
        ? { case: 'refused', value: { code: 'WALLET_EMPTY', message: 'empty' } }
        : { case: 'admitted', value: { modelId: req.model } },
    };
  },
  release: () => ({}),
});
const holds = peer(HoldService, {
  supersedeHolds: ({ holdIds }) => {
    superseded.push(...holdIds);
    return {};
  },
});
const inference = peer(InferenceService, {
  generate: async function* ({ body }, call) {
    const text = JSON.parse(Buffer.from(body).toString()).input[0].content[0].text;
    most = Math.max(most, ++inFlight);
    try {
      await model(text, call.signal);
    } finally {
      inFlight--;
    }
    const output = [{ type: 'message', role: 'assistant', content: [{ type: 'text', text }] }];
    const answer = { id: text, output, model: 'm', provider: 'sandbox', stop_reason: 'stop', usage };
    yield { data: Buffer.from(JSON.stringify(answer)) };
  },
});

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [responseRouter], [billing, holds, inference]);
});
afterAll(() => harness.stop());
beforeEach(() => {
  admits = [];
  superseded = [];
  most = 0;
  inFlight = 0;
  model = async () => {};
});

const item = (id: string, more: object = {}) => {
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: id }] }];
  return { id, model: 'sandbox/echo-1', input, ...more };
};
const send = (requests: object[], options?: object, credential = harness.tenant.secretKey) =>
  request(harness.app)
    .post('/api/v1/responses/batch')
    .set('Authorization', `Bearer ${credential}`)
    .send({ requests, ...(options && { options }) });
const ids = (n: number) => Array.from({ length: n }, (_, i) => `item-${i}`);

describe('POST /responses/batch', () => {
  it('answers every request in order, admits each separately and sums their usage', async () => {
    // The first answer comes last; until then the others take turns in two of the three places.
    let open: () => void = () => undefined;
    const last = new Promise<void>((resolve) => {
      open = resolve;
    });
    model = async (text) => {
      if (text === 'item-0') await last;
      if (text === 'item-6') open();
    };
    const { status, body } = await send(
      ids(7).map((id) => item(id)),
      { max_concurrent: 3 },
    );
    expect(status).toBe(200);
    responsesBatchResponse.parse(body);
    expect(body.results.map((result: { id: string }) => result.id)).toEqual(ids(7));
    expect(body.results[3]).toMatchObject({ status: 'success', response: { id: 'item-3' } });
    expect(body.usage).toEqual({
      input_tokens: 14,
      output_tokens: 21,
      total_tokens: 35,
      total_input_tokens: 14,
      total_output_tokens: 21,
      total_requests: 7,
      successful_requests: 7,
      failed_requests: 0,
    });
    expect(new Set(admits.map(({ holdId }) => holdId)).size).toBe(7);
    expect(most).toBe(3);
  });

  it('fails only the failing request and reports its position', async () => {
    model = async (text) => {
      if (text === 'item-1') throw new AppError('PROVIDER_ERROR', 'broken');
    };
    const { body } = await send([item('item-0'), item('item-1'), item('poor', { max_output_tokens: 666 })]);
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['success', 'error', 'error']);
    expect(body.results[1].error).toMatchObject({
      error: 'api_error',
      code: 'PROVIDER_ERROR',
      batch_id: body.id,
      item_id: 'item-1',
      request_id: expect.any(String),
    });
    expect(body.results[2].error).toMatchObject({ code: 'WALLET_EMPTY', status_code: 402 });
    expect(body.usage.total_tokens).toBe(5);
  });

  it('fails only the invalid request, names its fields and does not admit it', async () => {
    const bad = { ...item('item-1', { temperature: 3 }), input: 'text' };
    const { status, body } = await send([item('item-0'), bad, { id: 'item-2' }, item('item-3')]);
    expect(status).toBe(200);
    responsesBatchResponse.parse(body);
    expect(body.results.map((result: { status: string }) => result.status)).toEqual([
      'success',
      'error',
      'error',
      'success',
    ]);
    const { error } = body.results[1];
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status_code: 400, item_id: 'item-1', batch_id: body.id });
    expect(error.fields.map(({ field }: { field: string }) => field).sort()).toEqual(['input', 'temperature']);
    expect(admits).toHaveLength(2);
    expect(body.usage).toMatchObject({
      total_tokens: 10,
      total_requests: 4,
      successful_requests: 2,
      failed_requests: 2,
    });
  });

  it('starts no request after the first error with fail_fast', async () => {
    model = async (text) => {
      if (text === 'item-1') throw new AppError('PROVIDER_ERROR', 'broken');
    };
    const { body } = await send(
      ids(4).map((id) => item(id)),
      { fail_fast: true, max_concurrent: 1 },
    );
    const outcomes = body.results.map((result: { status: string; error?: { code: string; cause: string } }) =>
      result.status === 'success' ? 'success' : `${result.error?.code} ${result.error?.cause}`,
    );
    expect(outcomes.slice(0, 2)).toEqual(['success', 'PROVIDER_ERROR upstream_response']);
    expect(outcomes.slice(2).every((outcome: string) => outcome.endsWith(' canceled'))).toBe(true);
    expect(admits).toHaveLength(2);
  });

  it('reports late requests as RELAY_TIMEOUT and keeps earlier results', async () => {
    model = (text, signal) =>
      text === 'item-0'
        ? Promise.resolve()
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { body } = await send(
      ids(3).map((id) => item(id)),
      { timeout_ms: 300, max_concurrent: 2 },
    );
    expect(body.results[0].status).toBe('success');
    expect(body.results.slice(1).map((result: { error: { code: string } }) => result.error.code)).toEqual([
      'RELAY_TIMEOUT',
      'RELAY_TIMEOUT',
    ]);
  });

  it.each([
    ['no requests', [], undefined, 'requests'],
    ['the same id twice', [item('a'), item('a')], undefined, 'requests[1].id'],
    ['a request without id', [{ ...item('a'), id: undefined }], undefined, 'requests[0].id'],
    ['too many at a time', [item('a')], { max_concurrent: 101 }, 'options.max_concurrent'],
  ] as const)('answers 400 for %s', async (_what, requests, options, field) => {
    const { status, body } = await send([...requests], options);
    expect([status, body.fields[0].field]).toEqual([400, field]);
    expect(admits).toEqual([]);
  });

  it('supersedes every request of a lost attempt under the same Idempotency-Key, admitted or not', async () => {
    const requests = ids(3).map((id) => item(id));
    const attempt = () => send(requests, { max_concurrent: 1 }).set('Idempotency-Key', 'lost-1');
    expect((await attempt()).status).toBe(200);
    const lost = admits.map(({ holdId }) => holdId);
    await harness.ctx.pool.query(
      "UPDATE idempotency_records SET status = NULL, claimed_until = now() - interval '1 s' WHERE key = 'lost-1'",
    );
    admits = [];
    expect((await attempt()).status).toBe(200);
    expect(superseded).toEqual(lost);
    expect(new Set([...lost, ...admits.map(({ holdId }) => holdId)]).size).toBe(6);
  });

  it('counts every request against the rate limit', async () => {
    harness.ctx.config.limitsPerMinute.customer = 3;
    const requests = ids(5).map((id) => item(id));
    const { body } = await send(requests, { max_concurrent: 1 }, await customer());
    harness.ctx.config.limitsPerMinute.customer = 300;
    const codes = body.results.map((result: { error?: { code: string } }) => result.error?.code ?? 'OK');
    expect(codes).toEqual(['OK', 'OK', 'OK', 'RATE_LIMIT', 'RATE_LIMIT']);
  });

  it('answers 403 for a publishable key', async () => {
    expect((await send([item('a')], {}, harness.tenant.publishableKey)).status).toBe(403);
  });
});

/** A separate customer without a tier, which has the default rate limit. */
async function customer(): Promise<string> {
  const id = randomUUID();
  const claims = {
    typ: 'customer',
    sub: id,
    sid: randomUUID(),
    pid: harness.tenant.projectId,
    euid: id,
    eext: id,
    tier: '',
  };
  return (await harness.ctx.tokens.sign(claims as never, 60)).token;
}
