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
import { RevocationList } from '../auth/revocation-list.js';
import { issueApiKey } from '../operations/api-keys/issue-api-key.js';
import { revokeApiKey } from '../operations/api-keys/revoke-api-key.js';
import { deleteProject } from '../operations/delete-project.js';
import { revokeCustomer } from '../operations/tokens/revoke.js';
import { insertProject } from '../store/projects.js';
import { peer, type RouteTest, startRouteTest } from '../testing/route-test.js';
import { authenticate } from './authenticate.js';

const clock = controllableClock(new Date());
const customer = { id: randomUUID(), externalId: 'user-1' };
let lookups: { projectId: string | undefined; id: unknown }[] = [];
let test: RouteTest;

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
  test = await startRouteTest(import.meta.url, [], [billing, payments, hooks], { clock });
});

afterAll(() => test.stop());

beforeEach(() => {
  lookups = [];
});

const as = (headers: IncomingHttpHeaders): Promise<Principal> => authenticate(headers, test.ctx);
const bearer = (credential: string): IncomingHttpHeaders => ({ authorization: `Bearer ${credential}` });
const unauthorized = expect.objectContaining({ code: 'UNAUTHORIZED' });
const newKey = (projectId = test.tenant.projectId, input: object = {}) =>
  issueApiKey(test.ctx, test.ctx.db, { projectId, kind: 'secret', label: 'test', ...input });

describe('API keys', () => {
  it('are accepted in both header forms', async () => {
    const { secretKey, projectId } = test.tenant;
    for (const headers of [bearer(secretKey), { 'x-service-api-key': secretKey }]) {
      expect(await as(headers)).toMatchObject({ kind: PrincipalKind.SECRET_KEY, projectId });
    }
    expect(await as(bearer(test.tenant.publishableKey))).toMatchObject({
      kind: PrincipalKind.PUBLISHABLE_KEY,
      projectId,
    });
  });

  it('of two projects never mix', async () => {
    const [a, b] = [await as(bearer(test.tenant.secretKey)), await as(bearer(test.stranger.secretKey))];
    expect(a.projectId).toBe(test.tenant.projectId);
    expect(b.projectId).toBe(test.stranger.projectId);
    expect(a.accountId).not.toBe(b.accountId);
  });

  it('are not tried when a bearer token is sent, however wrong that is', async () => {
    const good = { 'x-service-api-key': test.tenant.secretKey };
    await expect(as({ ...good, authorization: 'Bearer nonsense' })).rejects.toEqual(unauthorized);
    await expect(as({ ...good, authorization: 'Basic abc' })).rejects.toEqual(unauthorized);
    expect(await as({ ...good, ...bearer(test.stranger.secretKey) })).toMatchObject({
      projectId: test.stranger.projectId,
    });
  });

  it.each(['tg_sk_unknown', 'tg_pk_unknown', 'tg_sk_', 'x'])('unknown: %s is refused', async (key) => {
    await expect(as({ 'x-service-api-key': key })).rejects.toEqual(unauthorized);
  });

  it('give the same principal object while nothing changes', async () => {
    expect(await as(bearer(test.tenant.secretKey))).toBe(await as(bearer(test.tenant.secretKey)));
  });

  it('carry their spend limit', async () => {
    const { secret } = await newKey(undefined, { spendLimitCents: 5n });
    expect(await as(bearer(secret))).toMatchObject({ keySpendLimitMicrocents: 5_000_000n });
  });

  it('end at their expiry, also when known', async () => {
    const { secret } = await newKey(undefined, { expiresAt: new Date(clock.nowMs() + 1_000) });
    await as(bearer(secret));
    clock.advance({ ms: 1_000 });
    await expect(as(bearer(secret))).rejects.toEqual(unauthorized);
  });

  it('end at once where they are revoked, and within a poll elsewhere', async () => {
    const { secret, key } = await newKey();
    const { accountId } = await as(bearer(secret));
    const elsewhere = { ...test.ctx, revocations: new RevocationList(clock) };
    await elsewhere.revocations.poll(test.ctx.pool);
    await revokeApiKey(test.ctx, accountId, key.id);
    await expect(as(bearer(secret))).rejects.toEqual(unauthorized);
    await authenticate(bearer(secret), elsewhere); // cached, and the other edge has not polled
    await elsewhere.revocations.poll(test.ctx.pool);
    await expect(authenticate(bearer(secret), elsewhere)).rejects.toEqual(unauthorized);
  });

  it('show when they were last used, once that is written', async () => {
    const { secret, key } = await newKey();
    await as(bearer(secret));
    await test.ctx.keyUsage.flush(test.ctx.pool);
    const row = await test.ctx.db.apiKey.findUniqueOrThrow({ where: { id: key.id } });
    expect(row.lastUsedAt?.getTime()).toBe(clock.nowMs());
  });

  it('are stored as hashes', async () => {
    const { secret, key } = await newKey();
    const row = await test.ctx.db.apiKey.findUniqueOrThrow({ where: { id: key.id } });
    expect(Buffer.from(row.keyHash)).toHaveLength(32);
    expect(JSON.stringify(row, (_name, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      secret.slice(6),
    );
  });
});

describe('X-Service-Customer-Id', () => {
  const scoped = (key: string, id: string) => as({ ...bearer(key), 'x-service-customer-id': id });

  it('makes a secret key’s request the customer’s', async () => {
    expect(await scoped(test.tenant.secretKey, customer.id)).toMatchObject({
      kind: PrincipalKind.SECRET_KEY,
      customerId: customer.id,
      customerExternalId: 'user-1',
      tierCode: 'pro',
    });
    expect(lookups.at(-1)?.projectId).toBe(test.tenant.projectId);
  });

  it('is looked up once in a while, not per request', async () => {
    const { secret } = await newKey(test.stranger.projectId);
    for (let i = 0; i < 3; i++) await scoped(secret, customer.id.toUpperCase());
    expect(lookups).toHaveLength(1);
  });

  it.each([randomUUID(), 'not-a-uuid'])('unknown: %s is 404', async (id) => {
    await expect(scoped(test.tenant.secretKey, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['', '  '])('empty: %j is 400', async (id) => {
    await expect(scoped(test.tenant.secretKey, id)).rejects.toMatchObject({ status: 400 });
  });

  it('changes nothing for a customer token or a publishable key', async () => {
    expect(await scoped(test.tenant.customerToken, customer.id)).toMatchObject({ customerId: test.tenant.customerId });
    expect(await scoped(test.tenant.publishableKey, customer.id)).toMatchObject({ customerId: '' });
    expect(lookups).toHaveLength(0);
  });
});

describe('tokens', () => {
  it('say who the customer and the owner are', async () => {
    expect(await as(bearer(test.tenant.customerToken))).toMatchObject({
      kind: PrincipalKind.CUSTOMER,
      customerId: test.tenant.customerId,
      projectId: test.tenant.projectId,
      tierCode: 'free',
    });
    expect(await as(bearer(test.tenant.ownerToken))).toMatchObject({
      kind: PrincipalKind.OWNER,
      projectId: test.tenant.projectId,
    });
  });

  it('are not accepted in the API-key header’s place of a key of another kind', async () => {
    expect(await as({ 'x-service-api-key': test.tenant.customerToken })).toMatchObject({
      kind: PrincipalKind.CUSTOMER,
    });
  });

  it('of a deleted customer end', async () => {
    await as(bearer(test.stranger.customerToken));
    await revokeCustomer(test.ctx, test.stranger.customerId);
    await expect(as(bearer(test.stranger.customerToken))).rejects.toEqual(unauthorized);
  });

  it('and keys of a deleted project end', async () => {
    const owner = await as(bearer(test.tenant.ownerToken));
    const project = await insertProject(test.ctx.db, {
      id: randomUUID(),
      accountId: owner.accountId,
      ownerId: owner.userId,
      name: 'Short-lived',
      createdAt: clock.now(),
    });
    const { secret } = await newKey(project.id);
    const ids = { sub: 'c', sid: randomUUID(), pid: project.id, euid: randomUUID(), eext: 'x', tier: '' };
    const { token } = await test.ctx.tokens.sign({ typ: 'customer', ...ids }, 600);
    await as(bearer(secret));
    await as(bearer(token));
    await deleteProject(test.ctx, owner, project.id, startCall({ timeoutMs: 5_000 }));
    await expect(as(bearer(secret))).rejects.toEqual(unauthorized);
    await expect(as(bearer(token))).rejects.toEqual(unauthorized);
    expect(await as(bearer(test.tenant.ownerToken))).toMatchObject({ projectId: test.tenant.projectId });
  });
});
