import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paymentDetailSchema, refundEnvelopeSchema } from '@tollgate/api/billing';
import { PaymentService, type RefundPaymentRequest } from '@tollgate/contracts/billing/v1/payments_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { paymentRouter } from './index.js';

const at = new Date('2026-11-23T04:00:00.123Z');
const times = { createdAt: timestampFromDate(at), endedAt: timestampFromDate(at) };
const id = randomUUID();
const refundId = randomUUID();
const refund = { id: refundId, paymentId: id, amountCents: 500n, currency: 'usd', status: 'succeeded', ...times };
const payment = { id, kind: 'wallet_topup', status: 'completed', amountCents: 1_500n, currency: 'usd', ...times };
const refundJson = {
  id: refundId,
  payment_id: id,
  amount_cents: 500,
  currency: 'usd',
  status: 'succeeded',
  created_at: at.toISOString(),
  ended_at: at.toISOString(),
};

let harness: RouteTest;
let asked: RefundPaymentRequest[];

beforeAll(async () => {
  const requireId = (given: string) => {
    if (given !== id) throw new AppError('NOT_FOUND', 'payment not found');
  };
  const payments = peer(PaymentService, {
    getProjectPayment: (req) => {
      requireId(req.id);
      return { payment, refundableCents: 1_000n, refunds: [refund] };
    },
    refundPayment: (req) => {
      requireId(req.paymentId);
      asked.push(req);
      if (req.amountCents === 9_999n) throw new AppError('CONFLICT', 'at most 1000 cents can be refunded');
      return { refund, applied: true };
    },
  });
  harness = await startRouteTest(import.meta.url, [paymentRouter], [payments]);
});
beforeEach(() => {
  asked = [];
});
afterAll(() => harness.stop());

const WAYS = [
  ['a secret key', () => ({ base: '/api/v1', token: harness.tenant.secretKey })],
  [
    "an owner's session",
    () => ({ base: `/api/v1/projects/${harness.tenant.projectId}`, token: harness.tenant.ownerToken }),
  ],
] as const;

describe.each(WAYS)('a payment by %s', (_, way) => {
  const send = (method: 'get' | 'post', path: string) => {
    const { base, token } = way();
    return request(harness.app)[method](`${base}/payments/${path}`).set('Authorization', `Bearer ${token}`);
  };
  const post = (body: object, key?: string, of = id) =>
    send('post', `${of}/refund`)
      .set(key === undefined ? {} : { 'Idempotency-Key': key })
      .send(body);

  it('returns its refunds and what can be refunded', async () => {
    const { status, body } = await send('get', id);
    expect([status, paymentDetailSchema.parse(body)]).toMatchObject([
      200,
      { payment: { id, amount_cents: 1_500 }, refundable_cents: 1_000, refunds: [refundJson] },
    ]);
    expect((await send('get', randomUUID())).status).toBe(404);
  });

  it('sends a refund once, under a cause that the key names, and writes the audit log', async () => {
    const key = randomUUID();
    const { status, body } = await post({ amount_cents: 500 }, key);
    expect([status, refundEnvelopeSchema.parse(body)]).toEqual([201, { refund: refundJson }]);
    const cause = `refund/${harness.tenant.projectId}/${key}`;
    expect(asked).toMatchObject([{ paymentId: id, amountCents: 500n, cause }]);
    expect((await post({ amount_cents: 500 }, key)).headers).toHaveProperty('idempotent-replayed');
    expect(asked).toHaveLength(1);
    const { rows } = await harness.ctx.pool.query(
      "SELECT subject_id FROM audit_events WHERE action = 'payment.refund_requested'",
    );
    expect(rows).toContainEqual({ subject_id: refundId });
  });

  it('sends a refund without an amount if the body names none', async () => {
    expect((await post({}, randomUUID())).status).toBe(201);
    expect(asked[0]?.amountCents).toBeUndefined();
  });

  it('answers 409 beyond what is left', async () => {
    const { status, body } = await post({ amount_cents: 9_999 }, randomUUID());
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });

  it.each([
    ['without a key', { amount_cents: 500 }, undefined],
    ['of nothing', { amount_cents: 0 }, 'a'],
    ['of a fraction', { amount_cents: 1.5 }, 'b'],
    ['beyond a million dollars', { amount_cents: 100_000_001 }, 'c'],
  ])('rejects a refund %s', async (_what, body, key) => {
    expect((await post(body, key)).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('hides a missing payment also without a key', async () => {
    expect((await post({}, undefined, randomUUID())).status).toBe(404);
  });
});
