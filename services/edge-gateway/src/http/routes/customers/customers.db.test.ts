import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  creditWithdrawalSchema,
  customerCreditSchema,
  customerEnvelopeSchema,
  customerListSchema,
} from '@tollgate/api/billing';
import {
  BillingService,
  type GrantCreditRequest,
  type ListCustomersRequest,
  type UpdateCustomerRequest,
  type WithdrawCreditRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { type RouteTest, peer as routePeer, startRouteTest } from '../../../testing/route-test.js';
import { customerRouter } from './index.js';

const at = new Date('2026-11-23T04:00:00.123Z');
const id = randomUUID();

let harness: RouteTest;
let listed: ListCustomersRequest[];
let updated: UpdateCustomerRequest[];
let granted: GrantCreditRequest[];
let withdrawn: WithdrawCreditRequest[];
let hasMore = false;

beforeAll(async () => {
  const times = { createdAt: timestampFromDate(at), updatedAt: timestampFromDate(at) };
  const customer = { id, projectId: randomUUID(), externalId: 'user-1', email: 'a@example.com', ...times };
  const billing = billingPeer({ customer });
  harness = await startRouteTest(import.meta.url, [customerRouter], [billing]);
});
beforeEach(() => {
  [listed, updated, granted, withdrawn] = [[], [], [], []];
  hasMore = false;
});
afterAll(() => harness.stop());

/** The way in of a secret key, and of an owner's session. */
const WAYS = [
  ['a secret key', () => ({ base: '/api/v1', token: harness.tenant.secretKey })],
  [
    "an owner's session",
    () => ({ base: `/api/v1/projects/${harness.tenant.projectId}`, token: harness.tenant.ownerToken }),
  ],
] as const;

type Way = ReturnType<(typeof WAYS)[number][1]>;
const send = ({ base, token }: Way, method: 'get' | 'patch' | 'post', path: string) =>
  request(harness.app)[method](`${base}${path}`).set('Authorization', `Bearer ${token}`);

describe.each(WAYS)('the customers by %s', (_, way) => {
  it('passes every filter on, and answers with the total', async () => {
    const query = 'q=An&email=a@b.cd&external_id=u&tier_code=pro&status=past_due&sort=-created_at&limit=7&total=true';
    const { status, body } = await send(way(), 'get', `/customers?${query}`);
    expect(status).toBe(200);
    expect(customerListSchema.parse(body).total).toBe(42);
    expect(listed).toMatchObject([
      {
        search: 'An',
        email: 'a@b.cd',
        externalId: 'u',
        tierCode: 'pro',
        subscriptionStatus: 'past_due',
        newestFirst: true,
        limit: 7,
        countsTotal: true,
      },
    ]);
  });

  it('continues at an offset by default, and after the last customer of a sorted list', async () => {
    hasMore = true;
    expect((await send(way(), 'get', '/customers')).body.next_cursor).toBe('1');
    const { next_cursor: cursor } = (await send(way(), 'get', '/customers?sort=created_at')).body;
    expect(cursor).toBe(toCursor({ at, id }));
    await send(way(), 'get', `/customers?cursor=${cursor}`);
    expect(listed.at(-1)).toMatchObject({ afterCreatedAt: timestampFromDate(at), afterId: id, offset: 0 });
  });

  it.each([
    'cursor=x',
    'cursor=',
    `cursor=${toCursor({ at, id })}&offset=1`,
    'sort=email',
    'status=x',
    'q=',
    'total=x',
  ])('rejects %s', async (query) => {
    expect((await send(way(), 'get', `/customers?${query}`)).status).toBe(400);
    expect(listed).toEqual([]);
  });

  it('changes only what a patch names, and writes the audit log', async () => {
    const { status, body } = await send(way(), 'patch', `/customers/${id}`).send({ metadata: { a: 1 } });
    expect(status).toBe(200);
    customerEnvelopeSchema.parse(body);
    expect(updated).toMatchObject([{ id, metadataJson: '{"a":1}' }]);
    expect(updated[0]?.email).toBeUndefined();
    const { rows } = await harness.ctx.pool.query('SELECT action FROM audit_events WHERE subject_id = $1', [id]);
    expect(rows).toContainEqual({ action: 'customer.updated' });
  });

  it('blocks and unblocks, and writes the audit log', async () => {
    const blocked = await send(way(), 'post', `/customers/${id}/block`);
    expect([blocked.status, blocked.body.customer.blocked_at]).toEqual([200, at.toISOString()]);
    const unblocked = await send(way(), 'post', `/customers/${id}/unblock`);
    expect([unblocked.status, unblocked.body.customer.blocked_at]).toEqual([200, undefined]);
    expect(updated).toMatchObject([
      { id, blocked: true },
      { id, blocked: false },
    ]);
    const { rows } = await harness.ctx.pool.query('SELECT action FROM audit_events WHERE subject_id = $1', [id]);
    expect(rows).toEqual(expect.arrayContaining([{ action: 'customer.blocked' }, { action: 'customer.unblocked' }]));
  });

  it.each([{}, { external_id: 'other' }, { email: 1 }])('rejects the patch %j', async (change) => {
    expect((await send(way(), 'patch', `/customers/${id}`).send(change)).status).toBe(400);
    expect(updated).toEqual([]);
  });

  it('grants a credit under a cause that the key names', async () => {
    const post = (key: string) =>
      send(way(), 'post', `/customers/${id}/credit`)
        .set('Idempotency-Key', key)
        .send({ amount_cents: 500, reason: 'promo' });
    const key = randomUUID();
    const { status, body } = await post(key);
    expect([status, customerCreditSchema.parse(body)]).toEqual([201, { balance_microcents: 9, applied: true }]);
    const cause = `credit/${harness.tenant.projectId}/${id}/${key}`;
    const target = { case: 'customerId', value: id };
    expect(granted).toMatchObject([{ target, amountMicrocents: 500_000_000n, reason: 'promo', cause }]);
    expect((await post(key)).headers).toHaveProperty('idempotent-replayed');
    expect(granted).toHaveLength(1);
  });

  it('takes credit back under a cause that the key names, and writes the audit log', async () => {
    const key = randomUUID();
    const { status, body } = await send(way(), 'post', `/customers/${id}/credit/withdraw`)
      .set('Idempotency-Key', key)
      .send({ amount_cents: 200 });
    expect([status, creditWithdrawalSchema.parse(body)]).toEqual([201, { balance_microcents: 7, applied: true }]);
    const cause = `withdrawal/${harness.tenant.projectId}/${id}/${key}`;
    expect(withdrawn).toMatchObject([{ customerId: id, amountMicrocents: 200_000_000n, cause }]);
    const { rows } = await harness.ctx.pool.query('SELECT action FROM audit_events WHERE subject_id = $1', [id]);
    expect(rows).toContainEqual({ action: 'customer.credit_withdrawn' });
  });

  it.each([
    ['without a key', {}, { amount_cents: 500 }],
    ['of nothing', { 'Idempotency-Key': 'd' }, { amount_cents: 0 }],
  ])('rejects a withdrawal %s', async (_what, headers, body) => {
    const { status } = await send(way(), 'post', `/customers/${id}/credit/withdraw`).set(headers).send(body);
    expect([status, withdrawn]).toEqual([400, []]);
  });

  it.each(['credit', 'credit/withdraw'])('hides a missing customer from %s also without a key', async (action) => {
    const body = { amount_cents: 5, ...(action === 'credit' && { reason: 'promo' }) };
    const { status } = await send(way(), 'post', `/customers/${randomUUID()}/${action}`).send(body);
    expect(status).toBe(404);
  });

  it.each([
    ['without a key', {}, { amount_cents: 500, reason: 'promo' }],
    ['of nothing', { 'Idempotency-Key': 'a' }, { amount_cents: 0, reason: 'promo' }],
    ['beyond a million dollars', { 'Idempotency-Key': 'b' }, { amount_cents: 100_000_001, reason: 'promo' }],
    ['for a payment', { 'Idempotency-Key': 'c' }, { amount_cents: 500, reason: 'top_up' }],
  ])('rejects a credit %s', async (_what, headers, body) => {
    const { status } = await send(way(), 'post', `/customers/${id}/credit`).set(headers).send(body);
    expect([status, granted]).toEqual([400, []]);
  });
});

function billingPeer({ customer }: { customer: object }) {
  return routePeer(BillingService, {
    getCustomer: (req) => {
      if (req.by.value !== id) throw new AppError('NOT_FOUND', 'customer not found');
      return { envelope: { customer } };
    },
    listCustomers: (req) => {
      listed.push(req);
      return { customers: [{ customer }], hasMore, ...(req.countsTotal && { total: 42n }) };
    },
    updateCustomer: (req) => {
      updated.push(req);
      const blockedAt = req.blocked ? { blockedAt: timestampFromDate(at) } : {};
      return { envelope: { customer: { ...customer, ...blockedAt } } };
    },
    withdrawCredit: (req) => {
      withdrawn.push(req);
      return { balanceMicrocents: 7n, applied: true };
    },
    grantCredit: (req) => {
      granted.push(req);
      return { balanceMicrocents: 9n, applied: true };
    },
  });
}
