import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { unchargedUsageSchema } from '@tollgate/api/billing';
import { BillingService, type ListUnchargedUsageRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import request from 'supertest';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { listUnchargedUsage } from './usage.js';

const at = new Date('2026-11-23T04:00:00.123Z');
const id = randomUUID();
const customerId = randomUUID();

let harness: RouteTest;
let asked: ListUnchargedUsageRequest[];

beforeAll(async () => {
  const row = {
    id,
    requestId: 'req_1',
    customerId,
    modelId: 'm',
    overrunMicrocents: 5n,
    occurredAt: timestampFromDate(at),
  };
  const billing = peer(BillingService, {
    listUnchargedUsage: (req) => {
      asked.push(req);
      return { usage: [row], hasMore: req.limit === 1 };
    },
  });
  harness = await startRouteTest(import.meta.url, [listUnchargedUsage], [billing]);
});
beforeEach(() => {
  asked = [];
});
afterAll(() => harness.stop());

const get = (query = '', token = harness.tenant.ownerToken, projectId = harness.tenant.projectId) =>
  request(harness.app)
    .get(`/api/v1/projects/${projectId}/uncharged-usage${query}`)
    .set('Authorization', `Bearer ${token}`);

it('lists uncharged usage by both credentials', async () => {
  for (const kind of ['ownerToken', 'secretKey'] as const) {
    const { status, body } = await get('', harness.tenant[kind]);
    const row = { request_id: 'req_1', customer_id: customerId, model: 'm', occurred_at: at.toISOString() };
    expect([status, unchargedUsageSchema.parse(body)]).toEqual([
      200,
      { usage: [{ ...row, overrun_microcents: 5, unreconciled_microcents: 0 }] },
    ]);
  }
});

it('passes filters on, and continues after the last row of a page', async () => {
  const { body } = await get(`?limit=1&customer_id=${customerId}&kind=overrun`);
  expect(asked).toMatchObject([{ limit: 1, customerId, kind: 'overrun' }]);
  expect(body.next_cursor).toBe(toCursor({ at, id }));
  await get(`?cursor=${body.next_cursor}`);
  expect(asked[1]).toMatchObject({ afterOccurredAt: timestampFromDate(at), afterId: id });
});

it.each(['cursor=x', 'kind=x', 'customer_id=x', 'offset=1'])('rejects %s', async (query) => {
  expect((await get(`?${query}`)).status).toBe(400);
  expect(asked).toEqual([]);
});

it("answers 404 in another account's project", async () => {
  expect((await get('', harness.tenant.ownerToken, harness.stranger.projectId)).status).toBe(404);
  expect(asked).toEqual([]);
});
