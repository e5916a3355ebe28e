import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import request from 'supertest';
import { insertProject } from '../../store/projects.js';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { defineRoute } from './route.js';

const base = { tag: 'Test', summary: 'Test', success: { status: 200 } } as const;
const customer = { id: randomUUID(), externalId: 'user-1' };
const turn = {
  model: 'sandbox/echo-1',
  input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] }],
};

let harness: RouteTest;
/** A second project of the tenant's account. */
let second: string;
let asked: (Principal | undefined)[] = [];

const routes = [
  defineRoute({
    ...base,
    method: 'POST',
    path: '/things',
    auth: ['secret_key', 'customer'],
    idempotent: true,
    audit: 'project.updated',
    handler: async ({ principal }) => {
      asked.push(principal);
      return { body: { key: principal.keyId } };
    },
  }),
];

beforeAll(async () => {
  const billing = peer(BillingService, {
    getCustomer: (req) => {
      if (req.by.value !== customer.id) throw new AppError('NOT_FOUND', 'customer not found');
      return { envelope: { customer, subscription: { tierCode: 'pro' } } };
    },
    admit: (_req, call: Call) => {
      asked.push(call.principal);
      return {
        decision: { case: 'admitted', value: { modelId: turn.model, maxOutputTokens: 10, holdTtlMs: 30_000 } },
      };
    },
    getTier: () => ({ tier: {} }),
  });
  const inference = peer(InferenceService, {
    generate: async function* (_req, call: Call) {
      asked.push(call.principal);
      yield { data: Buffer.from('{"id":"r1"}'), usage: {} };
    },
  });
  harness = await startRouteTest(import.meta.url, routes, [billing, inference]);
  const { rows } = await harness.ctx.pool.query('SELECT account_id, owner_id FROM projects WHERE id = $1', [
    harness.tenant.projectId,
  ]);
  const { account_id: accountId, owner_id: ownerId } = rows[0];
  second = randomUUID();
  await insertProject(harness.ctx.pool, { id: second, accountId, ownerId, name: 'second', createdAt: new Date() });
});
afterAll(() => harness.stop());
beforeEach(() => {
  asked = [];
});

const post = (
  path: string,
  body: object,
  credential = harness.tenant.ownerToken,
  headers: Record<string, string> = {},
) =>
  request(harness.app)
    .post(`/api/v1${path}`)
    .set({ Authorization: `Bearer ${credential}`, ...headers })
    .send(body);

describe.each([
  ['an ordinary route', '/things', {}],
  ['a turn', '/responses', turn],
])("an owner's session at %s", (_what, path, body) => {
  const inProject = (projectId: string) => `/projects/${projectId}${path}`;

  it('acts in the project of the path as its secret key would, without a key', async () => {
    for (const projectId of [harness.tenant.projectId, second]) {
      asked = [];
      expect((await post(inProject(projectId), body)).status).toBe(200);
      for (const principal of asked) {
        expect(principal).toMatchObject({ kind: PrincipalKind.SECRET_KEY, projectId, keyId: '', customerId: '' });
        expect(principal?.userId).toMatch(/^[0-9a-f-]{36}$/);
      }
      expect(asked.length).toBeGreaterThan(0);
    }
  });

  it('acts for the customer that the header names', async () => {
    const named = { 'X-Service-Customer-Id': customer.id };
    expect((await post(inProject(second), body, undefined, named)).status).toBe(200);
    expect(asked[0]).toMatchObject({ customerId: customer.id, customerExternalId: 'user-1', tierCode: 'pro' });
    const unknown = { 'X-Service-Customer-Id': randomUUID() };
    expect((await post(inProject(second), body, undefined, unknown)).status).toBe(404);
  });

  it('answers 404 for a project of another account and an unknown project', async () => {
    for (const projectId of [harness.stranger.projectId, randomUUID(), 'x']) {
      const { status, body: error } = await post(inProject(projectId), body);
      expect([status, error.message]).toEqual([404, 'project not found']);
    }
    expect(asked).toEqual([]);
  });

  it.each(['secretKey', 'publishableKey', 'customerToken'] as const)(
    'does not take the %s in its place',
    async (kind) => {
      expect((await post(inProject(harness.tenant.projectId), body, harness.tenant[kind])).status).toBe(403);
    },
  );

  it("counts against the owner's rate limit", async () => {
    const { headers } = await post(inProject(second), body);
    expect(headers['ratelimit-limit']).toBe(String(harness.ctx.config.limitsPerMinute.owner));
  });

  it('keeps the Idempotency-Keys of projects apart', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    await post(inProject(second), body, undefined, key);
    expect((await post(inProject(second), body, undefined, key)).headers).toHaveProperty('idempotent-replayed');
    const other = await post(inProject(harness.tenant.projectId), body, undefined, key);
    expect(other.headers).not.toHaveProperty('idempotent-replayed');
  });
});

it('names the user of an owner session in the audit log', async () => {
  await post(`/projects/${second}/things`, {});
  const { rows } = await harness.ctx.pool.query(
    'SELECT actor_kind, actor_id, project_id FROM audit_events WHERE project_id = $1 ORDER BY at DESC LIMIT 1',
    [second],
  );
  expect(rows[0]).toEqual({ actor_kind: 'user', actor_id: asked[0]?.userId, project_id: second });
});
