// Which figures of an account a secret key reads, by who created or rotated it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import request from 'supertest';
import { registerOwner } from '../../../operations/sign-in/register-owner.js';
import { startSession } from '../../../operations/tokens/start-session.js';
import { insertMember } from '../../../store/members/members.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { apiKeyRouter } from '../api-keys/index.js';
import { accountRouter } from './index.js';

interface Key {
  id: string;
  secret: string;
}

let harness: RouteTest;
/** A member of another account, in the role that may manage keys. */
let guest: string;
let usageOf: string[] = [];

beforeAll(async () => {
  const billing = peer(BillingService, {
    getAccountUsage: ({ projectId }) => {
      usageOf.push(projectId);
      return { rows: [], hasMore: false };
    },
    getAccountBalance: () => ({ balanceMicrocents: 7n, currency: 'usd' }),
    listAccountStatements: () => ({ months: [] }),
    getAccountStatement: () => ({ month: { month: '2026-10', state: 'final' } }),
  });
  harness = await startRouteTest(import.meta.url, [accountRouter, apiKeyRouter], [billing]);
  const { user, project } = await registerOwner(harness.ctx, {
    email: `${randomUUID()}@example.com`,
    password: randomUUID(),
  });
  guest = (await startSession(harness.ctx, user.id, project.id)).accessToken;
  const { projectId } = harness.tenant;
  await insertMember(harness.ctx.pool, { projectId, userId: user.id, role: 'developer', createdAt: new Date() });
});
afterAll(() => harness.stop());

const post = async (token: string, path: string, body: object): Promise<Key> => {
  const answer = await request(harness.app)
    .post(`/api/v1/projects/${harness.tenant.projectId}/api-keys${path}`)
    .set('Authorization', `Bearer ${token}`)
    .send(body);
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  return { id: answer.body.api_key.id, secret: answer.body.api_key.secret_key };
};
const create = (token: string) => post(token, '', { label: 'test' });
const rotate = (token: string, { id }: Key) => post(token, `/${id}/rotate`, { overlap_seconds: 60 });

/** Returns what the key reads: the status of the balance and of its statements, and the project that limits its usage. */
async function read(secret: string): Promise<[number, string]> {
  const get = (path: string) => request(harness.app).get(`/api/v1/account/${path}`).set('X-Service-Api-Key', secret);
  const balance = await get('balance');
  for (const path of ['statements', 'statements/2026-10']) expect((await get(path)).status).toBe(balance.status);
  usageOf = [];
  expect((await get('usage')).status).toBe(200);
  return [balance.status, usageOf[0]!];
}

/** Leaves the key as a version without the column writes it. */
async function forgetIssuer({ id }: Pick<Key, 'id'>): Promise<void> {
  await harness.ctx.pool.query('UPDATE api_keys SET issued_by = NULL WHERE id = $1', [id]);
}

const forgetAudit = ({ id }: Key) => harness.ctx.pool.query('DELETE FROM audit_events WHERE subject_id = $1', [id]);
const ACCOUNT = [200, ''];
const projectOnly = () => [403, harness.tenant.projectId];

it('lets a key of the account read the balance and the usage of all projects', async () => {
  const { secret } = await create(harness.tenant.ownerToken);
  expect(await read(secret)).toEqual(ACCOUNT);
  expect(await read(harness.tenant.secretKey)).toEqual(ACCOUNT);
});

it('limits a key that a member of another account created to its project', async () => {
  const { secret } = await create(guest);
  expect(await read(secret)).toEqual(projectOnly());
});

it('limits a key that a member of another account rotated, and keeps the limit when the owner rotates it', async () => {
  const own = await create(harness.tenant.ownerToken);
  const rotated = await rotate(guest, own);
  expect(await read(rotated.secret)).toEqual(projectOnly());
  expect(await read((await rotate(harness.tenant.ownerToken, rotated)).secret)).toEqual(projectOnly());
  expect(await read(own.secret)).toEqual(ACCOUNT);
  expect(await read((await rotate(harness.tenant.ownerToken, own)).secret)).toEqual(ACCOUNT);
});

it('takes the user of a key of the previous version from the audit log, and stores it', async () => {
  const [own, foreign] = [await create(harness.tenant.ownerToken), await create(guest)];
  const rotated = await rotate(guest, own);
  for (const key of [own, foreign, rotated]) await forgetIssuer(key);
  for (const _round of [1, 2]) {
    expect(await read(own.secret)).toEqual(ACCOUNT);
    expect(await read(foreign.secret)).toEqual(projectOnly());
    expect(await read(rotated.secret)).toEqual(projectOnly());
    for (const key of [own, foreign, rotated]) await forgetAudit(key);
  }
});

it('limits a key whose user is unknown, until a user of the account rotates it', async () => {
  const key = await create(harness.tenant.ownerToken);
  const { projectId } = harness.tenant;
  await harness.ctx.pool.query("UPDATE projects SET created_at = now() - interval '1 day' WHERE id = $1", [projectId]);
  await forgetIssuer(key);
  await forgetAudit(key);
  expect(await read(key.secret)).toEqual(projectOnly());
  expect(await read((await rotate(harness.tenant.ownerToken, key)).secret)).toEqual(ACCOUNT);
});

it('lets the first key of a project of the previous version read the account', async () => {
  const email = `${randomUUID()}@example.com`;
  const { issued } = await registerOwner(harness.ctx, { email, password: randomUUID() });
  await forgetIssuer(issued.key);
  expect(await read(issued.secret)).toEqual(ACCOUNT);
});
