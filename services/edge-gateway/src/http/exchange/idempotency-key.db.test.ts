import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { z } from 'zod';
import { deleteSealedBodies } from '../../store/idempotency-records.js';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { defineRoute, type Route } from './route.js';

const base = {
  method: 'POST',
  tag: 'Test',
  summary: 'Test',
  auth: ['secret_key', 'customer'],
  idempotent: true,
} as const;
const { idempotent: _kept, ...plain } = base;
let effects = 0;

const routes: Route[] = [
  defineRoute({
    ...base,
    path: '/things/:id',
    body: z.object({ name: z.string() }),
    success: { status: 201 },
    handler: async ({ body }) => {
      effects++;
      if (body.name === 'conflict') throw new AppError('CONFLICT', 'is taken');
      if (body.name === 'unfunded') throw new AppError('PROVIDER_ACCOUNT_UNFUNDED', 'no money');
      if (body.name === 'bug') throw new Error('a fault');
      return { body: { effects } };
    },
  }),
  defineRoute({
    ...base,
    path: '/stream',
    success: { status: 200 },
    handler: async () => ({
      headers: { 'Content-Type': 'application/x-ndjson' },
      chunks: (async function* () {
        yield '1\n';
        yield `${++effects}\n`;
      })(),
    }),
  }),
  defineRoute({
    ...plain,
    path: '/secrets',
    success: { status: 201 },
    handler: async () => ({ body: { value: `secret ${++effects} ${randomUUID()}` } }),
  }),
  ...(
    [
      ['/open', { auth: 'none' }],
      ['/none', { idempotent: false }],
    ] as const
  ).map(([path, values]) =>
    defineRoute({
      ...plain,
      ...values,
      path,
      success: { status: 200 },
      handler: async () => ({ body: { effects: ++effects } }),
    }),
  ),
];

let harness: RouteTest;

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, routes, []);
});

afterAll(() => harness.stop());

const post = (body: object | string, headers: Record<string, string>, path = '/things/7') =>
  request(harness.app)
    .post(`/api/v1${path}`)
    .set({ Authorization: `Bearer ${harness.tenant.secretKey}`, 'Content-Type': 'application/json', ...headers })
    .send(body);

describe('Idempotency-Key', () => {
  it('gives the same answer without a second effect', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [await post({ name: 'n' }, headers), await post({ name: 'n' }, headers)];
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['x-service-request-id']).not.toBe(first.headers['x-service-request-id']);
  });

  it('answers 409 for another body', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await post({ name: 'n' }, headers);
    expect((await post({ name: 'm' }, headers)).status).toBe(409);
    expect((await post('{ "name" : "n" }', headers)).status).toBe(409);
  });

  it('replays final refusals, and runs again after refusals for lack of money and internal errors', async () => {
    const replayed = async (name: string) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      await post({ name }, headers);
      return 'idempotent-replayed' in (await post({ name }, headers)).headers;
    };
    expect(await replayed('conflict')).toBe(true);
    expect(await replayed('unfunded')).toBe(false);
    expect(await replayed('bug')).toBe(false);
  });

  it('keeps the keys of other owners and other paths apart', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await post({ name: 'n' }, headers);
    const others = [
      await post({ name: 'n' }, { ...headers, Authorization: `Bearer ${harness.stranger.secretKey}` }),
      await post({ name: 'n' }, { ...headers, Authorization: `Bearer ${harness.tenant.customerToken}` }),
      await post({ name: 'n' }, headers, '/things/8'),
    ];
    for (const other of others) expect(other.headers).not.toHaveProperty('idempotent-replayed');
  });

  it('replays a stream as it was', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [await post({}, headers, '/stream'), await post({}, headers, '/stream')];
    expect(second.text).toBe(first.text);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
  });
});

describe('an endpoint whose answer may hold a secret', () => {
  const secret = (headers: Record<string, string>) => post({}, headers, '/secrets');

  it('gives a repeat the same answer, which is stored only encrypted', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await secret(headers);
    const second = await secret(headers);
    expect([second.status, second.body, second.headers['idempotent-replayed']]).toEqual([201, first.body, 'true']);
    const { rows } = await harness.ctx.pool.query('SELECT body FROM idempotency_records WHERE key = $1', [
      headers['Idempotency-Key'],
    ]);
    expect(rows[0].body.includes(first.body.value)).toBe(false);
  });

  it('answers 409 once the ten minutes are over, without a second effect, and deletes the copy', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await secret(headers);
    const key = headers['Idempotency-Key'];
    const { rows } = await harness.ctx.pool.query(
      `UPDATE idempotency_records SET sealed_until = sealed_until - interval '10 minutes' WHERE key = $1
       RETURNING extract(epoch FROM now() - sealed_until)::float AS over`,
      [key],
    );
    expect(rows[0].over).toBeGreaterThanOrEqual(0);
    const before = effects;
    expect(await secret(headers)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(effects).toBe(before);
    expect(await deleteSealedBodies(harness.ctx.pool, 10)).toBe(1);
    expect(await secret(headers)).toMatchObject({ status: 409 });
  });
});

describe('an endpoint that takes no key', () => {
  it.each(['/open', '/none'])('answers 400 instead of ignoring it: %s', async (path) => {
    const before = effects;
    const res = await post({}, { 'Idempotency-Key': randomUUID() }, path);
    expect([res.status, res.body.message]).toEqual([400, 'this endpoint takes no Idempotency-Key']);
    expect((await post({}, {}, path)).status).toBe(200);
    expect(effects).toBe(before + 1);
  });
});
