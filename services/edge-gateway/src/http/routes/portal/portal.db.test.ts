import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paymentListSchema, tierChangePreviewSchema } from '@tollgate/api/billing';
import { customerDeviceListResponse, portalLinkResponse, portalSessionResponse } from '@tollgate/api/identity';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type ListProjectPaymentsRequest, PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { issueApiKey } from '../../../operations/api-keys/issue-api-key.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { projectRouter } from '../projects/index.js';
import { portalRouter } from './index.js';

const BASE = 'https://pay.example.com';
const at = timestampFromDate(new Date('2026-11-23T04:00:00.123Z'));

let harness: RouteTest;
/** Customers of billing, by id. */
const customers = new Map<string, string>();
let listed: ListProjectPaymentsRequest[];

const billing = peer(BillingService, {
  getCustomer: ({ by }, call) => {
    if (customers.get(by.value!) !== call.requirePrincipal().projectId)
      throw new AppError('NOT_FOUND', 'customer not found');
    const customer = { id: by.value!, externalId: 'user-1', email: 'a@example.com' };
    return { envelope: { customer, subscription: { tierCode: 'free', tierId: 'tier-free' } } };
  },
  getTier: ({ by }) => ({
    tier:
      by.value === 'tier-free'
        ? { tierCode: 'free', billingMode: 'subscription', spendLimitCents: 500n, models: [{ modelId: 'a' }] }
        : { tierCode: 'pro', billingMode: 'subscription', models: [{ modelId: 'b' }] },
  }),
  listTiers: () => ({ tiers: [] }),
});
const payments = peer(PaymentService, {
  listProjectPayments: (req) => {
    listed.push(req);
    const payment = { id: randomUUID(), kind: 'wallet_topup', status: 'completed', amountCents: 1_000n, createdAt: at };
    return { payments: [payment], hasMore: true };
  },
  previewTierChange: ({ tierCode }) => {
    if (tierCode === 'gone') throw new AppError('NOT_FOUND', 'tier not found');
    return { action: 'checkout', currency: 'usd', dueNowCents: 2_000n, nextAmountCents: 2_000n, nextAt: at };
  },
});

beforeAll(async () => {
  const env = { SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000', PUBLIC_BASE_URL: BASE };
  harness = await startRouteTest(import.meta.url, [portalRouter, projectRouter], [billing, payments], { env });
});
beforeEach(() => {
  customers.clear();
  customers.set(harness.tenant.customerId, harness.tenant.projectId);
  listed = [];
});
afterAll(() => harness.stop());

const as = (token: string) => (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) => {
  const sending = request(harness.app)[method](`/api/v1${path}`).set('Authorization', `Bearer ${token}`);
  return body === undefined ? sending : sending.send(body);
};
const createLink = (body: object = {}, token = harness.tenant.secretKey, id = harness.tenant.customerId) =>
  as(token)('post', `/customers/${id}/portal-session`, body);
const readCode = (url: string) => new URL(url).hash.slice(1);
const start = (code: string, project_id = harness.tenant.projectId) =>
  request(harness.app).post('/api/v1/portal/session').set('User-Agent', 'Tester/1.0').send({ project_id, code });

async function openPortal(body: object = {}): Promise<{ token: string; session_id: string }> {
  const link = await createLink(body);
  const opened = await start(readCode(link.body.url));
  expect(opened.status).toBe(200);
  return opened.body;
}

describe('POST /customers/:id/portal-session', () => {
  it('answers a link of the project whose code is in the fragment, for five minutes', async () => {
    const before = Date.now();
    const { status, body, headers } = await createLink({ return_url: 'https://app.example.com/account?x=1' });
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    const { url, expires_at } = portalLinkResponse.parse(body);
    expect(url).toMatch(new RegExp(`^${BASE}/portal/${harness.tenant.projectId}#[\\w-]{43}$`));
    expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + 300_000);
    const { rows } = await harness.ctx.pool.query('SELECT * FROM portal_links');
    expect(JSON.stringify(rows)).not.toContain(readCode(url));
  });

  it("answers an owner's session in its project, and writes the audit log", async () => {
    const { projectId, ownerToken, customerId } = harness.tenant;
    const path = `/projects/${projectId}/customers/${customerId}/portal-session`;
    const { status, body } = await as(ownerToken)('post', path, {});
    expect(status).toBe(201);
    expect((await start(readCode(body.url))).status).toBe(200);
    const { rows } = await harness.ctx.pool.query('SELECT action, actor_kind FROM audit_events WHERE subject_id = $1', [
      customerId,
    ]);
    expect(rows).toContainEqual({ action: 'customer.portal_link_created', actor_kind: 'user' });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/account',
    'https://',
    `https://example.com/${'x'.repeat(2_048)}`,
    7,
  ])('rejects the return_url %j', async (return_url) => {
    const { status, body } = await createLink({ return_url });
    expect([status, body.fields[0].field]).toEqual([400, 'return_url']);
  });

  it("answers 404 for another project's customer", async () => {
    expect((await createLink({}, harness.stranger.secretKey)).status).toBe(404);
    const { projectId } = harness.tenant;
    const path = `/projects/${projectId}/customers/${harness.tenant.customerId}/portal-session`;
    expect((await as(harness.stranger.ownerToken)('post', path, {})).status).toBe(404);
  });

  it('answers 403 for a key with a spend limit: the session would spend past it', async () => {
    const key = { projectId: harness.tenant.projectId, kind: 'secret', label: 'x', spendLimitCents: 1n } as const;
    const { secret } = await issueApiKey(harness.ctx, harness.ctx.pool, key);
    expect((await createLink({}, secret)).status).toBe(403);
  });
});

describe('POST /portal/session', () => {
  it('starts a session of one hour as the customer, with what the portal shows of the project', async () => {
    const { projectId, ownerToken } = harness.tenant;
    await as(ownerToken)('put', `/projects/${projectId}`, { name: 'Acme', portal_color: '#1d4ed8' });
    const link = await createLink({ return_url: 'https://app.example.com/' });
    const { status, body, headers } = await start(readCode(link.body.url));
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(portalSessionResponse.parse(body)).toMatchObject({
      return_url: 'https://app.example.com/',
      project: { id: projectId, name: 'Acme', portal_color: '#1d4ed8' },
    });
    const seconds = (Date.parse(body.expires_at) - Date.now()) / 1_000;
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect((await as(body.token)('get', '/customers/me/devices')).status).toBe(200);
  });

  it('works once, for one of several at the same time', async () => {
    const code = readCode((await createLink()).body.url);
    const answers = await Promise.all([start(code), start(code), start(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await start(code)).status).toBe(401);
  });

  it('rejects an expired link, an unknown code, and the code of another project', async () => {
    const code = readCode((await createLink()).body.url);
    expect((await start(code, harness.stranger.projectId)).status).toBe(401);
    expect((await start('x'.repeat(43))).status).toBe(401);
    await harness.ctx.pool.query("UPDATE portal_links SET expires_at = now() - interval '1 second'");
    expect((await start(code)).status).toBe(401);
  });

  it('rejects the link of a customer whom billing does not find, and does not use it up', async () => {
    const id = randomUUID();
    customers.set(id, harness.tenant.projectId);
    const code = readCode((await createLink({}, harness.tenant.secretKey, id)).body.url);
    customers.delete(id);
    expect((await start(code)).status).toBe(401);
    customers.set(id, harness.tenant.projectId);
    expect((await start(code)).status).toBe(200);
  });
});

describe('GET /customers/me/devices', () => {
  it('lists the sessions of the customer, newest first, and signs one out at once', async () => {
    const [first, second] = [await openPortal(), await openPortal()];
    const { body } = await as(second.token)('get', '/customers/me/devices');
    const ids = customerDeviceListResponse.parse(body).devices.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([first.session_id, second.session_id]));
    expect(body.devices[0]).toMatchObject({ kind: 'portal', user_agent: 'Tester/1.0' });
    expect((await as(second.token)('delete', `/customers/me/devices/${first.session_id}`)).status).toBe(204);
    expect((await as(first.token)('get', '/customers/me/devices')).status).toBe(401);
    expect((await as(second.token)('get', '/customers/me/devices')).status).toBe(200);
    expect((await as(second.token)('delete', `/customers/me/devices/${first.session_id}`)).status).toBe(404);
  });

  it('keeps a signed-out session refused for as long as its token could live', async () => {
    const { token, session_id } = await openPortal();
    await as(token)('delete', `/customers/me/devices/${session_id}`);
    const { rows } = await harness.ctx.pool.query(
      "SELECT expires_at > now() + interval '30 days' AS is_long FROM revocations WHERE subject_id = $1",
      [session_id],
    );
    expect(rows).toEqual([{ is_long: true }]);
  });

  it("hides another customer's devices", async () => {
    const { session_id } = await openPortal();
    const { customerToken } = harness.stranger;
    expect((await as(customerToken)('get', '/customers/me/devices')).body).toEqual({ devices: [] });
    expect((await as(customerToken)('delete', `/customers/me/devices/${session_id}`)).status).toBe(404);
    expect((await as(customerToken)('delete', '/customers/me/devices/x')).status).toBe(404);
  });
});

describe('GET /customers/me/payments', () => {
  it("lists the token's customer only, and continues after the last row", async () => {
    const { body } = await as(harness.tenant.customerToken)('get', '/customers/me/payments?limit=1');
    const { next_cursor } = paymentListSchema.parse(body);
    await as(harness.tenant.customerToken)('get', `/customers/me/payments?cursor=${next_cursor}`);
    const { customerId } = harness.tenant;
    expect(listed).toMatchObject([
      { customerId, limit: 1 },
      { customerId, afterCreatedAt: at },
    ]);
  });

  it.each(['cursor=x', 'limit=0', 'customer_id=x'])('rejects %s', async (query) => {
    expect((await as(harness.tenant.customerToken)('get', `/customers/me/payments?${query}`)).status).toBe(400);
    expect(listed).toEqual([]);
  });
});

describe('GET /customers/me/change-tier', () => {
  it('answers the payments with their times, and the losses', async () => {
    const { status, body } = await as(harness.tenant.customerToken)('get', '/customers/me/change-tier?tier_code=pro');
    expect(status).toBe(200);
    expect(tierChangePreviewSchema.parse(body)).toEqual({
      action: 'checkout',
      due_now_cents: 2_000,
      credit_cents: 0,
      currency: 'usd',
      next_amount_cents: 2_000,
      next_at: '2026-11-23T04:00:00.123Z',
      lost_models: ['a'],
      added_models: ['b'],
      spend_limit_cents: { from: 500, to: null },
      loses_wallet: false,
    });
  });

  it('answers the refusal of the change', async () => {
    const { customerToken } = harness.tenant;
    expect((await as(customerToken)('get', '/customers/me/change-tier?tier_code=gone')).status).toBe(404);
    expect((await as(customerToken)('get', '/customers/me/change-tier')).status).toBe(400);
  });
});

describe('the settings of the portal', () => {
  const change = (body: object) => as(harness.tenant.ownerToken)('put', `/projects/${harness.tenant.projectId}`, body);

  it('keeps what is omitted, and removes by null and an empty list', async () => {
    const set = { portal_color: '#AABBCC', portal_origins: ['https://app.example.com', 'http://localhost:3000'] };
    expect((await change(set)).body.project).toMatchObject(set);
    expect((await change({ name: 'Acme' })).body.project).toMatchObject(set);
    const { project } = (await change({ portal_color: null, portal_origins: [] })).body;
    expect([project.portal_color, project.portal_origins]).toEqual([undefined, []]);
  });

  it.each([
    { portal_color: 'red' },
    { portal_color: '#fff' },
    { portal_color: '#1d4ed8; x' },
    { portal_origins: ['https://a.example; script-src *'] },
    { portal_origins: ["'self'"] },
    { portal_origins: ['*'] },
    { portal_origins: ['https://*.example.com'] },
    { portal_origins: ['http://app.example.com'] },
    { portal_origins: ['https://app.example.com/path'] },
    { portal_origins: Array.from({ length: 11 }, (_, i) => `https://a${i}.example.com`) },
  ])('rejects %j', async (body) => {
    expect((await change(body)).status).toBe(400);
  });
});
