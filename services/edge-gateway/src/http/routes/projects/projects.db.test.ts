import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listProjectsResponse, projectResponse } from '@tollgate/api/identity';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import { HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { authenticate } from '../../../auth/authenticate.js';
import { makeTenant, peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { apiKeyRouter } from '../api-keys/index.js';
import { projectRouter } from './index.js';

let harness: RouteTest;
/** Projects whose webhooks and tool hooks were deleted. */
const closed: (string | undefined)[] = [];
let isUnavailable = false;
/** Running subscriptions that the ledger reports. */
let running = 0;
/** Projects that the ledger closed. */
const unsold: (string | undefined)[] = [];

const hooks = peer(HookService, {
  closeProject: (_req, call) => {
    if (isUnavailable) throw new AppError('SERVICE_UNAVAILABLE', 'away');
    closed.push(call.principal?.projectId);
    return {};
  },
});

const payments = peer(PaymentService, {
  closeProject: (_req, call) => {
    if (running > 0) throw new AppError('CONFLICT', `the payment processor has ${running} running subscriptions`);
    unsold.push(call.principal?.projectId);
    return {};
  },
});

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [projectRouter, apiKeyRouter], [hooks, payments]);
});

afterAll(() => harness.stop());

type Method = 'get' | 'post' | 'put' | 'delete';
function send(method: Method, path: string, body?: object, credential: string = harness.tenant.ownerToken) {
  const sending = request(harness.app)[method](`/api/v1${path}`).set('Authorization', `Bearer ${credential}`);
  return body === undefined ? sending : sending.send(body);
}
const create = (body: object = { name: 'A project' }) => send('post', '/projects', body);

describe('POST /projects', () => {
  it('answers 201 with the defaults', async () => {
    const { status, body } = await create({ name: ' Shop ' });
    expect(status).toBe(201);
    projectResponse.parse(body);
    expect(body.project).toMatchObject({
      name: 'Shop',
      billing_mode: 'managed',
      markup_percentage: 0,
      publishable_claims: true,
      mcp_for_customers: true,
    });
    expect(body.project).not.toHaveProperty('description');
  });

  it.each([
    ['name', {}],
    ['name', { name: '' }],
    ['billing_mode', { name: 'n', billing_mode: 'free' }],
    ['markup_percentage', { name: 'n', markup_percentage: 101 }],
    ['markup_percentage', { name: 'n', markup_percentage: -1 }],
  ])('answers 400 naming %s', async (field, body) => {
    const res = await create(body);
    expect(res.status).toBe(400);
    expect(res.body.fields[0].field).toBe(field);
  });

  it.each(['secretKey', 'publishableKey', 'customerToken'] as const)('answers 403 for a %s', async (kind) => {
    expect((await send('post', '/projects', { name: 'n' }, harness.tenant[kind])).status).toBe(403);
  });
});

describe('GET /projects', () => {
  it('lists the account’s projects, oldest first, in pages', async () => {
    await create();
    const { status, body } = await send('get', '/projects?limit=1');
    expect(status).toBe(200);
    listProjectsResponse.parse(body);
    expect(body).toMatchObject({ projects: [{ id: harness.tenant.projectId }], next_cursor: '1' });
    const { body: foreign } = await send('get', '/projects?limit=200', undefined, harness.stranger.ownerToken);
    expect(foreign.projects.map((project: { id: string }) => project.id)).toEqual([harness.stranger.projectId]);
    expect(foreign).not.toHaveProperty('next_cursor');
  });
});

describe('GET /projects/{id}', () => {
  it('answers 200 for a project of the account', async () => {
    const { body } = await send('get', `/projects/${harness.tenant.projectId.toUpperCase()}`);
    expect(body.project.id).toBe(harness.tenant.projectId);
  });

  it('answers 404 for a foreign project, an unknown one and an invalid id', async () => {
    for (const id of [harness.stranger.projectId, randomUUID(), 'x']) {
      expect((await send('get', `/projects/${id}`)).status).toBe(404);
    }
  });
});

describe('PUT /projects/{id}', () => {
  it('changes the sent fields and keeps the rest; null removes the description', async () => {
    const { body: made } = await create({ name: 'n', description: 'd', markup_percentage: 12.5 });
    const { body } = await send('put', `/projects/${made.project.id}`, { name: 'm' });
    expect(body.project).toMatchObject({ name: 'm', description: 'd', markup_percentage: 12.5 });
    const { body: bare } = await send('put', `/projects/${made.project.id}`, { description: null });
    expect(bare.project).not.toHaveProperty('description');
  });

  it('applies the billing mode to requests at once', async () => {
    const bearer = { authorization: `Bearer ${harness.tenant.customerToken}` };
    await send('put', `/projects/${harness.tenant.projectId}`, { billing_mode: 'byob' });
    expect((await authenticate(bearer, harness.ctx)).byob).toBe(true);
    await send('put', `/projects/${harness.tenant.projectId}`, { billing_mode: 'managed' });
    expect((await authenticate(bearer, harness.ctx)).byob).toBe(false);
  });

  it('answers 404 for a foreign project and keeps it', async () => {
    const path = `/projects/${harness.stranger.projectId}`;
    expect((await send('put', path, { name: 'mine now' })).status).toBe(404);
    const { body } = await send('get', path, undefined, harness.stranger.ownerToken);
    expect(body.project.name).not.toBe('mine now');
  });
});

describe('DELETE /projects/{id}', () => {
  it('answers 204 and deletes the project', async () => {
    const { body } = await create();
    const path = `/projects/${body.project.id}`;
    expect((await send('delete', path)).status).toBe(204);
    expect((await send('get', path)).status).toBe(404);
    expect((await send('delete', path)).status).toBe(404);
    expect((await send('post', '/api-keys', { label: 'l', project_id: body.project.id })).status).toBe(404);
  });

  it('deletes its webhooks and tool hooks, or keeps the project when that fails', async () => {
    const { body } = await create();
    const path = `/projects/${body.project.id}`;
    isUnavailable = true;
    expect((await send('delete', path)).status).toBe(503);
    isUnavailable = false;
    expect((await send('get', path)).status).toBe(200);
    expect(closed).not.toContain(body.project.id);
    expect((await send('delete', path)).status).toBe(204);
    expect(closed).toContain(body.project.id);
  });

  it('answers 409 while its customers have running subscriptions, and deletes nothing', async () => {
    const { body } = await create();
    const path = `/projects/${body.project.id}`;
    running = 3;
    const refused = await send('delete', path);
    running = 0;
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('3 running subscriptions');
    expect((await send('get', path)).status).toBe(200);
    expect(closed).not.toContain(body.project.id);
    expect((await send('delete', path)).status).toBe(204);
    expect(unsold).toContain(body.project.id);
  });

  it('answers 404 for a foreign project', async () => {
    expect((await send('delete', `/projects/${harness.stranger.projectId}`)).status).toBe(404);
  });

  it('answers 409 for the last project and keeps it', async () => {
    const path = `/projects/${harness.stranger.projectId}`;
    expect((await send('delete', path, undefined, harness.stranger.ownerToken)).status).toBe(409);
    expect((await send('get', path, undefined, harness.stranger.ownerToken)).status).toBe(200);
    expect(unsold).not.toContain(harness.stranger.projectId);
  });

  it('keeps one project when all are deleted concurrently', async () => {
    const owner = (await makeTenant(harness.ctx)).ownerToken;
    for (let i = 0; i < 9; i++) await send('post', '/projects', { name: `n${i}` }, owner);
    const { body } = await send('get', '/projects', undefined, owner);
    const all = await Promise.all(
      body.projects.map(({ id }: { id: string }) => send('delete', `/projects/${id}`, undefined, owner)),
    );
    expect(all.map((res) => res.status).sort()).toEqual([...Array(9).fill(204), 409]);
  });
});
