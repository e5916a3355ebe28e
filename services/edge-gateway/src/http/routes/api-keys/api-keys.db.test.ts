import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKeyResponse, listApiKeysResponse } from '@tollgate/api/identity';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { defineRoute } from '../../exchange/route.js';
import { apiKeyRouter } from './index.js';

/** Returns the project of the caller's key. */
const whoAmI = defineRoute({
  method: 'GET',
  path: '/who-am-i',
  tag: 'Test',
  summary: 'Test',
  auth: ['secret_key', 'publishable_key'],
  success: { status: 200 },
  handler: async ({ principal }) => ({ body: { project_id: principal.projectId } }),
});

let spend: { group: string; providerMicrocents: bigint }[] = [];
let isBillingDown = false;
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, {
    getAccountUsage: () => {
      if (isBillingDown) throw new AppError('SERVICE_UNAVAILABLE', 'away');
      return { rows: spend, hasMore: false };
    },
  });
  harness = await startRouteTest(import.meta.url, [apiKeyRouter, whoAmI], [billing]);
});

afterAll(() => harness.stop());

beforeEach(() => {
  spend = [];
  isBillingDown = false;
});

type Method = 'get' | 'post' | 'patch' | 'delete';
function send(method: Method, path: string, body?: object, credential: string = harness.tenant.ownerToken) {
  const sending = request(harness.app)[method](`/api/v1${path}`).set('Authorization', `Bearer ${credential}`);
  return body === undefined ? sending : sending.send(body);
}
const create = (body: object = { label: 'a key' }) => send('post', '/api-keys', body);

describe('POST /api-keys', () => {
  describe('201', () => {
    it('creates a secret key for the account’s first project and shows it once', async () => {
      const { status, body } = await create({ label: 'Backend' });
      expect(status).toBe(201);
      apiKeyResponse.parse(body);
      const { api_key: key } = body;
      expect(key).toMatchObject({
        kind: 'secret',
        label: 'Backend',
        project_id: harness.tenant.projectId,
        spent_microcents: 0,
        secret_key: expect.stringMatching(/^tg_sk_[\w-]{43}$/),
      });
      expect((await send('get', '/who-am-i', undefined, key.secret_key)).body.project_id).toBe(
        harness.tenant.projectId,
      );
      const { body: list } = await send('get', '/api-keys');
      expect(JSON.stringify(list)).not.toContain(key.secret_key);
    });

    it('stores limit and expiry', async () => {
      const expiresAt = new Date(Date.now() + 60_000).toISOString();
      const { body } = await create({ label: 'l', spend_limit_cents: 500, expires_at: expiresAt });
      expect(body.api_key).toMatchObject({ spend_limit_cents: 500, expires_at: expiresAt });
    });

    it('creates publishable keys', async () => {
      const { body } = await create({ label: 'web', kind: 'publishable' });
      expect(body.api_key.secret_key).toMatch(/^tg_pk_/);
      expect(body.api_key).not.toHaveProperty('spent_microcents');
    });
  });

  it.each([
    ['label', {}],
    ['label', { label: ' ' }],
    ['kind', { label: 'l', kind: 'other' }],
    ['expires_at', { label: 'l', expires_at: '2001-01-01T00:00:00Z' }],
    ['expires_at', { label: 'l', expires_at: 'tomorrow' }],
    ['spend_limit_cents', { label: 'l', spend_limit_cents: 1.5 }],
    ['spend_limit_cents', { label: 'l', spend_limit_cents: 0 }],
    ['spend_limit_cents', { label: 'l', kind: 'publishable', spend_limit_cents: 5 }],
  ])('answers 400 naming %s', async (field, body) => {
    const res = await create(body);
    expect(res.status).toBe(400);
    expect(res.body.fields[0].field).toBe(field);
  });

  it('answers 404 for a foreign project', async () => {
    expect((await create({ label: 'l', project_id: harness.stranger.projectId })).status).toBe(404);
  });

  it.each(['secretKey', 'publishableKey', 'customerToken'] as const)('answers 403 for a %s', async (kind) => {
    expect((await send('post', '/api-keys', { label: 'l' }, harness.tenant[kind])).status).toBe(403);
  });
});

describe('GET /api-keys', () => {
  it('lists the account’s keys with their spend, newest first, in pages', async () => {
    const made = [];
    for (const label of ['one', 'two', 'three']) made.push((await create({ label })).body.api_key);
    spend = [{ group: made[2].id, providerMicrocents: 1_234_567n }];
    const first = await send('get', '/api-keys?limit=2');
    expect(first.status).toBe(200);
    listApiKeysResponse.parse(first.body);
    expect(first.body.api_keys.map((key: { label: string }) => key.label)).toEqual(['three', 'two']);
    expect(first.body.api_keys[0].spent_microcents).toBe(1_234_567);
    expect(first.body.next_cursor).toBe('2');
    const second = await send('get', `/api-keys?limit=2&offset=${first.body.next_cursor}`);
    expect(second.body.api_keys[0].label).toBe('one');
    const { body: foreign } = await send('get', '/api-keys?limit=200', undefined, harness.stranger.ownerToken);
    expect(JSON.stringify(foreign)).not.toContain(made[0].id);
  });

  it('omits the spend while billing is unavailable', async () => {
    isBillingDown = true;
    const { status, body } = await send('get', '/api-keys');
    expect(status).toBe(200);
    expect(body.api_keys[0]).not.toHaveProperty('spent_microcents');
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'offset=-1'])('answers 400 for %s', async (query) => {
    expect((await send('get', `/api-keys?${query}`)).status).toBe(400);
  });
});

describe('PATCH /api-keys/{id}', () => {
  it('changes the label and the expiry, and keeps what is absent', async () => {
    const { id, label } = (await create()).body.api_key;
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const dated = await send('patch', `/api-keys/${id}`, { expires_at: expiresAt });
    expect([dated.status, apiKeyResponse.parse(dated.body).api_key]).toMatchObject([
      200,
      { label, expires_at: expiresAt },
    ]);
    const named = await send('patch', `/api-keys/${id}`, { label: ' Other ' });
    expect(named.body.api_key).toMatchObject({ label: 'Other', expires_at: expiresAt });
    const open = await send('patch', `/api-keys/${id}`, { expires_at: null });
    expect(open.body.api_key).not.toHaveProperty('expires_at');
    expect(open.body.api_key).not.toHaveProperty('secret_key');
  });

  it.each([{}, { label: '' }, { expires_at: '2001-01-01T00:00:00Z' }])('answers 400 for %j', async (body) => {
    const { id } = (await create()).body.api_key;
    expect((await send('patch', `/api-keys/${id}`, body)).status).toBe(400);
  });

  it('answers 404 for a foreign, a revoked and an unknown key', async () => {
    const { id } = (await create()).body.api_key;
    const change = { label: 'x' };
    expect((await send('patch', `/api-keys/${id}`, change, harness.stranger.ownerToken)).status).toBe(404);
    await send('delete', `/api-keys/${id}`);
    for (const missing of [id, randomUUID(), 'x'])
      expect((await send('patch', `/api-keys/${missing}`, change)).status).toBe(404);
  });
});

describe('POST /api-keys/{id}/rotate', () => {
  const works = async (key: string) => (await send('get', '/who-am-i', undefined, key)).status === 200;

  it('issues a key of the same label and kind, and lets the old one expire after the overlap', async () => {
    const { id, secret_key: old } = (await create({ label: 'web', kind: 'publishable' })).body.api_key;
    const { status, body } = await send('post', `/api-keys/${id}/rotate`, { overlap_seconds: 60 });
    expect(status).toBe(201);
    const { api_key: key } = apiKeyResponse.parse(body);
    expect(key).toMatchObject({ label: 'web', kind: 'publishable', project_id: harness.tenant.projectId });
    expect([await works(old), await works(String(key.secret_key)), key.id === id]).toEqual([true, true, false]);
    const { api_keys: keys } = (await send('get', '/api-keys?limit=200')).body;
    const left = Date.parse(keys.find((one: { id: string }) => one.id === id).expires_at) - Date.now();
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('keeps an earlier expiry of the old key', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { id } = (await create({ label: 'l', expires_at: expiresAt })).body.api_key;
    expect((await send('post', `/api-keys/${id}/rotate`)).body.api_key).not.toHaveProperty('expires_at');
    const { api_keys: keys } = (await send('get', '/api-keys?limit=200')).body;
    expect(keys.find((one: { id: string }) => one.id === id).expires_at).toBe(expiresAt);
  });

  it('revokes the old key at once without an overlap', async () => {
    const { id, secret_key: old } = (await create()).body.api_key;
    expect(await works(old)).toBe(true);
    expect((await send('post', `/api-keys/${id}/rotate`, { overlap_seconds: 0 })).status).toBe(201);
    expect(await works(old)).toBe(false);
    expect((await send('post', `/api-keys/${id}/rotate`)).status).toBe(404);
  });

  it('answers 409 for a key with a spend limit, which keeps working', async () => {
    const { id, secret_key: old } = (await create({ label: 'l', spend_limit_cents: 5 })).body.api_key;
    expect((await send('post', `/api-keys/${id}/rotate`, { overlap_seconds: 0 })).status).toBe(409);
    expect(await works(old)).toBe(true);
  });

  it('answers 404 for a foreign key, and 400 for an overlap of more than a week', async () => {
    const { id } = (await create()).body.api_key;
    expect((await send('post', `/api-keys/${id}/rotate`, {}, harness.stranger.ownerToken)).status).toBe(404);
    expect((await send('post', `/api-keys/${id}/rotate`, { overlap_seconds: 604_801 })).status).toBe(400);
  });
});

describe('DELETE /api-keys/{id}', () => {
  it('answers 204, rejects the key from then on and removes it from the list', async () => {
    const { body } = await create();
    const { id, secret_key: key } = body.api_key;
    expect((await send('get', '/who-am-i', undefined, key)).status).toBe(200);
    expect((await send('delete', `/api-keys/${id}`)).status).toBe(204);
    expect((await send('get', '/who-am-i', undefined, key)).status).toBe(401);
    expect(JSON.stringify((await send('get', '/api-keys?limit=200')).body)).not.toContain(id);
    expect((await send('delete', `/api-keys/${id}`)).status).toBe(404);
  });

  it('answers 404 for a foreign key, which keeps working', async () => {
    const { body } = await create();
    const { id, secret_key: key } = body.api_key;
    expect((await send('delete', `/api-keys/${id}`, undefined, harness.stranger.ownerToken)).status).toBe(404);
    expect((await send('get', '/who-am-i', undefined, key)).status).toBe(200);
  });

  it.each([randomUUID(), 'x'])('answers 404 for %s', async (id) => {
    expect((await send('delete', `/api-keys/${id}`)).status).toBe(404);
  });
});
