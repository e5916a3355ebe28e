import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { paymentListSchema } from '@tollgate/api/billing';
import { type ListProjectPaymentsRequest, PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import request from 'supertest';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { listProjectPayments } from './list-project-payments.js';

const at = new Date('2026-11-23T04:00:00.123Z');
const id = randomUUID();
const customerId = randomUUID();

let harness: RouteTest;
let asked: ListProjectPaymentsRequest[];

beforeAll(async () => {
  const times = { createdAt: timestampFromDate(at), endedAt: timestampFromDate(at) };
  const payment = {
    id,
    kind: 'wallet_topup',
    status: 'completed',
    customerId,
    amountCents: 500n,
    currency: 'usd',
    ...times,
  };
  const payments = peer(PaymentService, {
    listProjectPayments: (req) => {
      asked.push(req);
      return { payments: [payment], hasMore: req.limit === 1 };
    },
  });
  harness = await startRouteTest(import.meta.url, [listProjectPayments], [payments]);
});
beforeEach(() => {
  asked = [];
});
afterAll(() => harness.stop());

const get = (query = '', token = harness.tenant.ownerToken, projectId = harness.tenant.projectId) =>
  request(harness.app).get(`/api/v1/projects/${projectId}/payments${query}`).set('Authorization', `Bearer ${token}`);

it('lists payments and omits what does not apply', async () => {
  for (const kind of ['ownerToken', 'secretKey'] as const) {
    const { status, body } = await get('', harness.tenant[kind]);
    expect([status, paymentListSchema.parse(body)]).toEqual([
      200,
      {
        payments: [
          {
            id,
            kind: 'wallet_topup',
            status: 'completed',
            customer_id: customerId,
            amount_cents: 500,
            currency: 'usd',
            reversed_cents: 0,
            undone: false,
            created_at: at.toISOString(),
            ended_at: at.toISOString(),
          },
        ],
      },
    ]);
  }
});

it('passes filters on, and continues after the last payment of a page', async () => {
  const { body } = await get(`?limit=1&customer_id=${customerId}&kind=wallet_topup&status=pending`);
  expect(asked).toMatchObject([{ limit: 1, customerId, kind: 'wallet_topup', status: 'pending' }]);
  expect(body.next_cursor).toBe(toCursor({ at, id }));
  await get(`?cursor=${body.next_cursor}`);
  expect(asked[1]).toMatchObject({ afterCreatedAt: timestampFromDate(at), afterId: id });
});

it.each(['cursor=x', 'kind=account_topup', 'status=open', 'customer_id=x', 'offset=1'])('rejects %s', async (query) => {
  expect((await get(`?${query}`)).status).toBe(400);
  expect(asked).toEqual([]);
});

it("answers 404 in another account's project", async () => {
  expect((await get('', harness.tenant.ownerToken, harness.stranger.projectId)).status).toBe(404);
  expect(asked).toEqual([]);
});
