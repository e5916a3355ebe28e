// Every endpoint under `/projects/:id` × every role, over the real route table.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasPermission, type Role, roles } from '@tollgate/api/identity';
import request from 'supertest';
import { findPermission, memberOperations } from '../../domain/members/operation-permissions.js';
import { registerOwner } from '../../operations/sign-in/register-owner.js';
import { startSession } from '../../operations/tokens/start-session.js';
import { insertMember } from '../../store/members/members.js';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { routes } from '../routes/index.js';
import { turnRoutes } from '../turns/index.js';
import { defineRoute, type Route } from './route.js';
import type { RouteDoc } from './route-doc.js';

const inProject = [...turnRoutes, ...routes].filter(
  ({ auth, path }) => path.startsWith('/projects/:') && auth !== 'none' && auth.includes('owner'),
);
const members = roles.filter((role) => role !== 'owner');

/** The real addresses with a handler that only says that it was reached. */
const reached: Route[] = routes.map((route) =>
  inProject.includes(route) ? { ...toBare(route), handler: async () => ({ body: { reached: true } }) } : route,
);
const forgotten = defineRoute({
  method: 'POST',
  path: '/projects/:id/forgotten',
  tag: 'Test',
  summary: 'Test',
  auth: ['owner'],
  success: { status: 200 },
  handler: async () => ({ body: { reached: true } }),
});

function toBare({ body: _body, query: _query, params: _params, audit: _audit, takesForm: _form, ...route }: Route) {
  return { ...route, ignoresUnknownQuery: true, idempotent: false };
}

let harness: RouteTest;
const tokens = new Map<Role, string>();

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [...reached, forgotten], [], {
    env: { RATE_LIMIT_OWNER_PER_MINUTE: '100000' },
  });
  tokens.set('owner', harness.tenant.ownerToken);
  for (const role of members) {
    const email = `${randomUUID()}@example.com`;
    const { user, project } = await registerOwner(harness.ctx, { email, password: randomUUID() });
    const { projectId } = harness.tenant;
    await insertMember(harness.ctx.pool, { projectId, userId: user.id, role, createdAt: new Date() });
    tokens.set(role, (await startSession(harness.ctx, user.id, project.id)).accessToken);
  }
});
afterAll(() => harness.stop());

function call(route: Pick<RouteDoc, 'method' | 'path'>, role: Role, projectId = harness.tenant.projectId) {
  const path = route.path.replace(':id', projectId).replace(/:\w+/g, randomUUID());
  const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const sent = request(harness.app)
    [method](`/api/v1${path}`)
    .set('Authorization', `Bearer ${tokens.get(role)}`);
  return method === 'get' ? sent : sent.send({});
}

/** Calls every endpoint, some at a time. */
async function callAll(role: Role, projectId: string): Promise<[RouteDoc, number][]> {
  const answers: [RouteDoc, number][] = [];
  for (let from = 0; from < inProject.length; from += 16) {
    const some = inProject.slice(from, from + 16);
    const statuses = await Promise.all(some.map(async (route) => (await call(route, role, projectId)).status));
    answers.push(...some.map((route, i): [RouteDoc, number] => [route, statuses[i] as number]));
  }
  return answers;
}

describe('the table of permissions', () => {
  it('names every endpoint that an owner has in a project, and no other', () => {
    const addresses = inProject.map(({ method, path }) => `${method} ${path}`).sort();
    expect([...memberOperations].sort()).toEqual(addresses);
  });

  it('lets viewers change nothing', () => {
    const changes = inProject.filter((route) => route.method !== 'GET' && isAllowed('viewer', route));
    expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /projects/:id/membership']);
  });

  it.each([
    ['billing', 'POST /projects/:id/customers/:customer_id/topup', true],
    ['billing', 'POST /projects/:id/customers/:customer_id/credit', true],
    ['billing', 'GET /projects/:id/payments', true],
    ['billing', 'POST /projects/:id/api-keys', false],
    ['billing', 'POST /projects/:id/responses', false],
    ['developer', 'POST /projects/:id/api-keys', true],
    ['developer', 'POST /projects/:id/agents', true],
    ['developer', 'POST /projects/:id/webhooks', true],
    ['developer', 'GET /projects/:id/payments', false],
    ['developer', 'POST /projects/:id/customers/:customer_id/credit', false],
    ['developer', 'GET /projects/:id/members', false],
    ['developer', 'POST /projects/:id/invitations', false],
    ['admin', 'POST /projects/:id/invitations', true],
    ['admin', 'DELETE /projects/:id', false],
  ] as const)('answers %s for %s: %s', (role, address, allowed) => {
    const [method, path] = address.split(' ') as [RouteDoc['method'], string];
    expect(isAllowed(role, { method, path })).toBe(allowed);
  });
});

function isAllowed(role: Role, route: Pick<RouteDoc, 'method' | 'path'>): boolean {
  const permission = findPermission(route);
  return permission !== undefined && hasPermission(role, permission);
}

describe.each(roles)('a session of the role %s', (role) => {
  it('reaches exactly the endpoints of its permissions', async () => {
    const wrong: string[] = [];
    for (const [route, status] of await callAll(role, harness.tenant.projectId)) {
      const isRefused = status === 403;
      if (isRefused === isAllowed(role, route)) wrong.push(`${route.method} ${route.path}: ${status}`);
      // The handlers of turns are the real ones.
      if (!isRefused && !turnRoutes.includes(route as never) && status >= 300) wrong.push(`${route.path}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('does not reach a project without a membership', async () => {
    const answers = await callAll(role, harness.stranger.projectId);
    expect(answers.filter(([, status]) => status !== 404)).toEqual([]);
  });
});

it('lets only owners reach an endpoint that the table has forgotten', async () => {
  for (const role of roles) {
    expect([role, (await call(forgotten, role)).status]).toEqual([role, role === 'owner' ? 200 : 403]);
  }
});
