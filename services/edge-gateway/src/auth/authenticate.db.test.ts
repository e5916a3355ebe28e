import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, startCall } from '@tollgate/rpc';
import { controllableClock } from '@tollgate/testkit';
import { issueApiKey } from '../operations/api-keys/issue-api-key.js';
import { revokeApiKey } from '../operations/api-keys/revoke-api-key.js';
import { deleteProject } from '../operations/delete-project.js';
import { revokeCustomer } from '../operations/tokens/revoke.js';
import { insertProject } from '../store/projects.js';
import { peer, type RouteTest, startRouteTest } from '../testing/route-test.js';
import { authenticate } from './authenticate.js';
import { RevocationList } from './revocation-list.js';

const clock = controllableClock(new Date());
const customer = { id: randomUUID(), externalId: 'user-1' };
let lookups: { projectId: string | undefined; id: unknown }[] = [];
let harness: RouteTest;

const billing = peer(BillingService, {
  getCustomer: (req, call: Call) => {
    lookups.push({ projectId: call.principal?.projectId, id: req.by.value });
    if (req.by.value !== customer.id) throw new AppError('NOT_FOUND', 'customer not found');
    return { envelope: { customer, subscription: { tierCode: 'pro' } } };
  },
});

beforeAll(async () => {
  const hooks = peer(HookService, { closeProject: () => ({}) });
  const payments = peer(PaymentService, { closeProject: () => ({}) });
  harness = await startRouteTest(import.meta.url, [], [billing, payments, hooks], { clock });
});

afterAll(() => harness.stop());

beforeEach(() => {
  lookups = [];
});

const as = (headers: IncomingHttpHeaders): Promise<Principal> => authenticate(headers, harness.ctx);
const bearer = (credential: string): IncomingHttpHeaders => ({ authorization: `Bearer ${credential}` });
const unauthorized = expect.objectContaining({ code: 'UNAUTHORIZED' });
const newKey = (projectId = harness.tenant.projectId, overrides: object = {}) =>
  issueApiKey(harness.ctx, harness.ctx.pool, { projectId, kind: 'secret', label: 'test', ...overrides });

async function readKeyRow(id: string) {
  return (await harness.ctx.pool.query('SELECT * FROM api_keys WHERE id = $1', [id])).rows[0];
}

describe('API keys', () => {
  it('accepts a key in both header forms', async () => {
    const { secretKey, projectId } = harness.tenant;
    for (const headers of [bearer(secretKey), { 'x-service-api-key': secretKey }]) {
      expect(await as(headers)).toMatchObject({ kind: PrincipalKind.SECRET_KEY, projectId });
    }
    expect(await as(bearer(harness.tenant.publishableKey))).toMatchObject({
      kind: PrincipalKind.PUBLISHABLE_KEY,
      projectId,
    });
  });

  it('keeps the keys of two projects apart', async () => {
    const [a, b] = [await as(bearer(harness.tenant.secretKey)), await as(bearer(harness.stranger.secretKey))];
    expect(a.projectId).toBe(harness.tenant.projectId);
    expect(b.projectId).toBe(harness.stranger.projectId);
    expect(a.accountId).not.toBe(b.accountId);
  });

  it('ignores a key when a bearer token is sent, even an invalid one', async () => {
    const good = { 'x-service-api-key': harness.tenant.secretKey };
    await expect(as({ ...good, authorization: 'Bearer nonsense' })).rejects.toEqual(unauthorized);
    await expect(as({ ...good, authorization: 'Basic abc' })).rejects.toEqual(unauthorized);
    expect(await as({ ...good, ...bearer(harness.stranger.secretKey) })).toMatchObject({
      projectId: harness.stranger.projectId,
    });
  });

  it.each(['tg_sk_unknown', 'tg_pk_unknown', 'tg_sk_', 'x'])('refuses the unknown key %s', async (key) => {
    await expect(as({ 'x-service-api-key': key })).rejects.toEqual(unauthorized);
  });

  it('returns the same principal object while nothing changes', async () => {
    expect(await as(bearer(harness.tenant.secretKey))).toBe(await as(bearer(harness.tenant.secretKey)));
  });

  it('adds the spend limit of the key to the principal', async () => {
    const { secret } = await newKey(undefined, { spendLimitCents: 5n });
    expect(await as(bearer(secret))).toMatchObject({ keySpendLimitMicrocents: 5_000_000n });
  });

  it('refuses a cached key after its expiry', async () => {
    const { secret } = await newKey(undefined, { expiresAt: new Date(clock.nowMs() + 1_000) });
    await as(bearer(secret));
    clock.advance({ ms: 1_000 });
    await expect(as(bearer(secret))).rejects.toEqual(unauthorized);
  });

  it('refuses a revoked key at once in this process and after one poll in others', async () => {
    const { secret, key } = await newKey();
    const { accountId } = await as(bearer(secret));
    const elsewhere = { ...harness.ctx, revocations: new RevocationList(clock) };
    await elsewhere.revocations.poll(harness.ctx.pool);
    await revokeApiKey(harness.ctx, accountId, key.id);
    await expect(as(bearer(secret))).rejects.toEqual(unauthorized);
    await authenticate(bearer(secret), elsewhere); // cached, and the other edge has not polled
    await elsewhere.revocations.poll(harness.ctx.pool);
    await expect(authenticate(bearer(secret), elsewhere)).rejects.toEqual(unauthorized);
  });

  it('reports when a key was last used, once that is written', async () => {
    const { secret, key } = await newKey();
    await as(bearer(secret));
    await harness.ctx.keyUsage.flush(harness.ctx.pool);
    const row = await readKeyRow(key.id);
    expect(row.last_used_at.getTime()).toBe(clock.nowMs());
  });

  it('stores keys as hashes', async () => {
    const { secret, key } = await newKey();
    const row = await readKeyRow(key.id);
    expect(row.key_hash).toHaveLength(32);
    expect(JSON.stringify(row, (_name, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      secret.slice(6),
    );
  });
});

describe('X-Service-Customer-Id', () => {
  const scoped = (key: string, id: string) => as({ ...bearer(key), 'x-service-customer-id': id });

  it('makes the request of a secret key act for the customer', async () => {
    expect(await scoped(harness.tenant.secretKey, customer.id)).toMatchObject({
      kind: PrincipalKind.SECRET_KEY,
      customerId: customer.id,
      customerExternalId: 'user-1',
      tierCode: 'pro',
    });
    expect(lookups.at(-1)?.projectId).toBe(harness.tenant.projectId);
  });

  it('caches the customer instead of asking per request', async () => {
    const { secret } = await newKey(harness.stranger.projectId);
    for (let i = 0; i < 3; i++) await scoped(secret, customer.id.toUpperCase());
    expect(lookups).toHaveLength(1);
  });

  it.each([randomUUID(), 'not-a-uuid'])('answers 404 for the unknown customer %s', async (id) => {
    await expect(scoped(harness.tenant.secretKey, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['', '  '])('answers 400 for the empty header %j', async (id) => {
    await expect(scoped(harness.tenant.secretKey, id)).rejects.toMatchObject({ status: 400 });
  });

  it('ignores the header with a customer token or a publishable key', async () => {
    expect(await scoped(harness.tenant.customerToken, customer.id)).toMatchObject({
      customerId: harness.tenant.customerId,
    });
    expect(await scoped(harness.tenant.publishableKey, customer.id)).toMatchObject({ customerId: '' });
    expect(lookups).toHaveLength(0);
  });
});

describe('tokens', () => {
  it('returns the principals of customers and owners', async () => {
    expect(await as(bearer(harness.tenant.customerToken))).toMatchObject({
      kind: PrincipalKind.CUSTOMER,
      customerId: harness.tenant.customerId,
      projectId: harness.tenant.projectId,
      tierCode: 'free',
    });
    expect(await as(bearer(harness.tenant.ownerToken))).toMatchObject({
      kind: PrincipalKind.OWNER,
      projectId: harness.tenant.projectId,
    });
  });

  it('refuses a token in the API-key header', async () => {
    expect(await as({ 'x-service-api-key': harness.tenant.customerToken })).toMatchObject({
      kind: PrincipalKind.CUSTOMER,
    });
  });

  it('refuses the tokens of a deleted customer', async () => {
    await as(bearer(harness.stranger.customerToken));
    await revokeCustomer(harness.ctx, harness.stranger.customerId);
    await expect(as(bearer(harness.stranger.customerToken))).rejects.toEqual(unauthorized);
  });

  it('refuses the tokens and keys of a deleted project', async () => {
    const owner = await as(bearer(harness.tenant.ownerToken));
    const project = await insertProject(harness.ctx.pool, {
      id: randomUUID(),
      accountId: owner.accountId,
      ownerId: owner.userId,
      name: 'Short-lived',
      createdAt: clock.now(),
    });
    const { secret } = await newKey(project.id);
    const ids = { sub: 'c', sid: randomUUID(), pid: project.id, euid: randomUUID(), eext: 'x', tier: '' };
    const { token } = await harness.ctx.tokens.sign({ typ: 'customer', ...ids }, 600);
    await as(bearer(secret));
    await as(bearer(token));
    await deleteProject(harness.ctx, owner, project.id, startCall({ timeoutMs: 30_000 }));
    await expect(as(bearer(secret))).rejects.toEqual(unauthorized);
    await expect(as(bearer(token))).rejects.toEqual(unauthorized);
    expect(await as(bearer(harness.tenant.ownerToken))).toMatchObject({ projectId: harness.tenant.projectId });
  });
});
