import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { ByteBudget } from '@tollgate/runtime';
import request from 'supertest';
import { z } from 'zod';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { defineRoute, type Route } from '../exchange/route.js';
import { type HttpServer, startHttpServer } from './server.js';

const base = { tag: 'Test', summary: 'Test', success: { status: 200 } } as const;
const named = z.object({ name: z.string() });
let aborted: Promise<unknown>;
let onStarted: () => void = () => undefined;

const routes: Route[] = [
  defineRoute({ ...base, method: 'GET', path: '/open', auth: 'none', handler: async () => ({ body: { ok: true } }) }),
  defineRoute({
    ...base,
    method: 'POST',
    path: '/things/:id',
    auth: ['secret_key', 'customer'],
    params: z.object({ id: z.string() }),
    query: z.object({ limit: z.coerce.number().int().max(10).default(5) }),
    body: z.object({ name: z.string(), tags: z.array(z.string()).optional() }),
    success: { status: 201 },
    idempotent: true,
    handler: async ({ params, query, body, call }) => {
      if (body.name === 'unfunded') throw new AppError('PROVIDER_ACCOUNT_UNFUNDED', 'no money');
      if (body.name === 'bug') throw new Error('a secret detail');
      return { body: { params, query, body, request_id: call.requestId, traceparent: call.traceparent } };
    },
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/returns',
    auth: 'none',
    ignoresUnknownQuery: true,
    handler: async () => ({ body: { ok: true } }),
  }),
  defineRoute({ ...base, method: 'POST', path: '/open', auth: 'none', body: named, handler: async () => ({}) }),
  defineRoute({
    ...base,
    method: 'POST',
    path: '/documents',
    auth: ['secret_key'],
    bodyClass: 'documents',
    body: named,
    handler: async () => ({}),
  }),
  defineRoute({
    ...base,
    method: 'POST',
    path: '/prompts',
    auth: ['secret_key'],
    bodyClass: 'generating',
    body: named,
    idempotent: true,
    handler: async () => ({}),
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/things/mine',
    auth: ['owner'],
    handler: async () => ({ status: 204 }),
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/slow',
    auth: 'none',
    handler: ({ call }) => {
      aborted = new Promise((resolve) => call.signal.addEventListener('abort', () => resolve(call.signal.reason)));
      onStarted();
      return new Promise(() => undefined);
    },
  }),
  defineRoute({
    ...base,
    method: 'POST',
    path: '/stream',
    auth: ['secret_key'],
    body: z.object({ fail: z.enum(['before', 'after']).optional() }),
    idempotent: true,
    handler: async ({ body }) => ({
      headers: { 'Content-Type': 'application/x-ndjson' },
      chunks: (async function* () {
        if (body.fail === 'before') throw new AppError('NOT_FOUND', 'nothing to stream');
        yield '1\n';
        if (body.fail === 'after') throw new Error('broke');
        yield Buffer.from('2\n');
      })(),
    }),
  }),
];

const envelope = {
  error: 'api_error',
  code: expect.any(String),
  message: expect.any(String),
  layer: expect.any(String),
  cause: expect.any(String),
  status_code: expect.any(Number),
  retryable: expect.any(Boolean),
  request_id: expect.any(String),
};

let harness: RouteTest;
let http: HttpServer;
const api = () => request(`http://${http.address}`);
const post = (body: object | string, headers: Record<string, string> = {}, path = '/things/7') =>
  api()
    .post(`/api/v1${path}`)
    .set({ Authorization: `Bearer ${harness.tenant.secretKey}`, 'Content-Type': 'application/json', ...headers })
    .send(body);

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, routes, []);
  http = await startHttpServer(harness.app, { host: '127.0.0.1', port: 0 }, harness.ctx.openStreams);
});

afterAll(async () => {
  await http.stop(0);
  await harness.stop();
});

describe('200', () => {
  it('passes the handler the output of the schemas', async () => {
    const { status, body } = await post({ name: 'n', unknown: 1 }, {}, '/things/7?limit=3');
    expect(status).toBe(201);
    expect(body).toMatchObject({ params: { id: '7' }, query: { limit: 3 }, body: { name: 'n' } });
    expect(body.body).not.toHaveProperty('unknown');
  });

  it('sends rate limits and a request id, and no header of the framework', async () => {
    const { headers } = await api().get('/api/v1/open');
    expect(headers).toMatchObject({
      'ratelimit-limit': '2000',
      'ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'ratelimit-reset': expect.stringMatching(/^\d+$/),
      'x-service-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  it('echoes the client’s request id and carries no trace without tracing', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const { headers, body } = await post({ name: 'n' }, { 'X-Service-Request-Id': 'mine-1', traceparent });
    expect(headers['x-service-request-id']).toBe('mine-1');
    expect(body.request_id).toBe('mine-1');
    expect(body).not.toHaveProperty('traceparent');
  });

  it('streams chunks as they come', async () => {
    const { status, text, headers } = await post({}, {}, '/stream');
    expect({ status, text }).toEqual({ status: 200, text: '1\n2\n' });
    expect(headers).toMatchObject({ 'x-accel-buffering': 'no', 'cache-control': 'no-store' });
  });
});

describe('400', () => {
  it.each(['{', '[]', '"text"', 'null', '{"name":1}', '{}', `{"name":${'['.repeat(300)}${']'.repeat(300)}}`])(
    'answers %.20s in the native envelope',
    async (text) => {
      const { status, body } = await post(text);
      expect(status).toBe(400);
      expect(body).toMatchObject(envelope);
    },
  );

  it('refuses 1.5 million keys before it parses them', async () => {
    const keys = Array.from({ length: 1_500_000 }, (_, i) => `"k${i}":1`).join(',');
    const { status, body } = await post(`{"name":"n",${keys}}`, { 'Idempotency-Key': 'members' }, '/prompts');
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(body.message).toContain('40000 members');
  });

  it('lists the fields', async () => {
    const { body } = await post({ name: 1, tags: ['a', 2] });
    expect(body).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [expect.objectContaining({ field: 'name' }), expect.objectContaining({ field: 'tags[1]' })],
    });
  });

  it('lists the errors of query and body together', async () => {
    const { body } = await post({ name: 1, tags: [2] }, {}, '/things/7?limit=11');
    expect(body.fields.map(({ field }: { field: string }) => field)).toEqual(['limit', 'name', 'tags[0]']);
  });

  it('refuses a bad query, a bad Idempotency-Key and a path that cannot be decoded', async () => {
    expect((await post({ name: 'n' }, {}, '/things/7?limit=11')).body).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await post({ name: 'n' }, { 'Idempotency-Key': 'two words' })).status).toBe(400);
    const { status, body } = await api().get('/api/v1/things/%ff');
    expect(status).toBe(400);
    expect(body).toMatchObject(envelope);
  });

  it('refuses query parameters that the endpoint does not know, by their names', async () => {
    const { status, body } = await post({ name: 'n' }, {}, '/things/7?limit=3&offset=1&Limit=2');
    expect([status, body.message]).toEqual([400, 'unknown query parameters: offset, Limit']);
    expect(body.fields).toEqual([
      { field: 'offset', message: 'unknown query parameter' },
      { field: 'Limit', message: 'unknown query parameter' },
    ]);
    expect((await api().get('/api/v1/open?__proto__=1')).body.message).toBe('unknown query parameter: __proto__');
  });

  it('ignores unknown query parameters where third parties redirect browsers', async () => {
    expect((await api().get('/api/v1/returns?session=1')).status).toBe(200);
  });

  it.each(['/things/%00', '/things/a%00b?limit=3', '/things/7?limit=%00', '/things/7?x=a&x=%00', '/things/7?%00'])(
    'refuses NUL in %s',
    async (path) => {
      const { status, body } = await post({ name: 'n' }, {}, path);
      expect([status, body.code]).toEqual([400, 'INVALID_INPUT']);
      expect(body).toMatchObject(envelope);
    },
  );
});

describe('401', () => {
  it.each([{}, { Authorization: 'Bearer x' }, { 'X-Service-Api-Key': 'tg_sk_x' }])(
    'answers the credentials %j',
    async (headers) => {
      const { status, body, headers: got } = await api().post('/api/v1/things/7').set(headers).send({ name: 'n' });
      expect(status).toBe(401);
      expect(body).toMatchObject({ ...envelope, code: 'UNAUTHORIZED' });
      expect(got['ratelimit-limit']).toBe('2000');
    },
  );
});

describe('402 and 503', () => {
  it('names the limit to the owner’s key and hides it from a customer', async () => {
    const owner = await post({ name: 'unfunded' });
    expect(owner.status).toBe(402);
    expect(owner.body.code).toBe('PROVIDER_ACCOUNT_UNFUNDED');
    const customer = await post({ name: 'unfunded' }, { Authorization: `Bearer ${harness.tenant.customerToken}` });
    expect(customer.status).toBe(503);
    expect(customer.headers['retry-after']).toBe('30');
    expect(customer.body).toMatchObject({ ...envelope, code: 'SERVICE_UNAVAILABLE', retryable: true });
  });
});

describe('403', () => {
  it.each(['publishableKey', 'ownerToken'] as const)(
    'answers a valid credential of the wrong kind: %s',
    async (kind) => {
      const { status, body } = await post({ name: 'n' }, { Authorization: `Bearer ${harness.tenant[kind]}` });
      expect(status).toBe(403);
      expect(body).toMatchObject({ ...envelope, code: 'FORBIDDEN' });
    },
  );
});

describe('404', () => {
  it.each(['/nothing', '/api/v1', '/api/v1/nothing', '/api/v1/Open', '/open'])('answers %s', async (path) => {
    const { status, body, headers } = await api().get(path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ ...envelope, code: 'NOT_FOUND' });
    expect(headers).toHaveProperty('ratelimit-limit');
  });

  it('uses the error shape of the vendor whose library calls', async () => {
    const openai = await api().get('/v1/nothing');
    expect([openai.status, openai.body.error]).toMatchObject([
      404,
      { type: 'invalid_request_error', code: 'NOT_FOUND' },
    ]);
    expect(openai.headers['x-request-id']).toBe(openai.headers['x-service-request-id']);
    const anthropic = await api().get('/v1/nothing').set('anthropic-version', '2023-06-01');
    expect(anthropic.body).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    expect(anthropic.body.request_id).toBe(anthropic.headers['request-id']);
    const method = await api().get('/v1/messages');
    expect([method.status, method.headers.allow, method.body.type]).toEqual([405, 'POST', 'error']);
  });

  it.each(['/projects/p/webhooks/w/nothing', '/projects/p/tool-hooks/h/x?y', '/projects/p/webhooks/w/events/e'])(
    'answers plain text under %s, like the endpoints around it',
    async (path) => {
      expect((await api().get(`/api/v1${path}`)).body).toEqual({ error: 'no such endpoint' });
    },
  );

  it.each(['/billing/webhooks/nothing', '/projects/p/webhooks-x'])(
    'answers the native envelope under %s',
    async (path) => {
      expect((await api().get(`/api/v1${path}`)).body).toMatchObject(envelope);
    },
  );

  it('answers a request whose body is not read', async () => {
    expect(
      (
        await api()
          .post('/api/v1/nothing')
          .send({ big: 'x'.repeat(100_000) })
      ).status,
    ).toBe(404);
  });
});

describe('405', () => {
  it.each([
    ['delete', '/api/v1/open', 'GET, HEAD, POST'],
    ['post', '/api/v1/things/mine', 'GET, HEAD'],
    ['get', '/api/v1/things/7', 'POST'],
    ['options', '/api/v1/things/7', 'POST'],
  ] as const)('answers %s %s with the allowed methods: %s', async (method, path, allow) => {
    const { status, body, headers } = await api()[method](path);
    expect(status).toBe(405);
    expect(headers.allow).toBe(allow);
    expect(body).toMatchObject({ ...envelope, code: 'METHOD_NOT_ALLOWED' });
  });
});

describe('413', () => {
  it.each([
    ['/open', 64 * 1024],
    ['/things/7', 1024 * 1024],
    ['/documents', 8 * 1024 * 1024],
    ['/prompts', 32 * 1024 * 1024],
  ])('answers a body above the limit of %s in the native envelope', async (path, bytes) => {
    const empty = JSON.stringify({ name: '' });
    const legal = await post(JSON.stringify({ name: 'x'.repeat(bytes - empty.length) }), {}, path);
    expect(legal.status).toBeLessThan(300);
    const { status, body } = await post(JSON.stringify({ name: 'x'.repeat(bytes + 1 - empty.length) }), {}, path);
    expect([status, body]).toMatchObject([413, { ...envelope, code: 'PAYLOAD_TOO_LARGE' }]);
  });

  it('answers 18 MB on a route without a credential so that the client can read it', async () => {
    expect((await post(JSON.stringify({ name: 'x'.repeat(18_000_000) }), {}, '/open')).status).toBe(413);
  });
});

describe('503', () => {
  it('refuses with Retry-After while the process holds too many bodies, and accepts after they are answered', async () => {
    const held = harness.ctx.bodies;
    harness.ctx.bodies = new ByteBudget(1_000);
    const { status, headers, body } = await post({ name: 'x'.repeat(600) });
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    for (let i = 0; i < 5; i++) expect((await post({ name: 'x'.repeat(400) })).status).toBe(201);
    harness.ctx.bodies = held;
  });
});

describe('500', () => {
  it('hides the cause of an internal error', async () => {
    const { status, body, text } = await post({ name: 'bug' });
    expect(status).toBe(500);
    expect(body).toMatchObject({ ...envelope, code: 'INTERNAL_ERROR' });
    expect(text).not.toContain('secret detail');
  });

  it('answers an error before a stream starts and closes the connection afterwards', async () => {
    expect(await post({ fail: 'before' }, {}, '/stream')).toMatchObject({ status: 404, body: envelope });
    await expect(post({ fail: 'after' }, {}, '/stream').then(({ text }) => text)).rejects.toThrow(/aborted|hang up/);
  });
});

describe('a client that leaves', () => {
  it('aborts the call of its request', async () => {
    const started = new Promise<void>((resolve) => {
      onStarted = resolve;
    });
    const pending = api().get('/api/v1/slow');
    const failed = pending.then(
      () => 'answered',
      () => 'left',
    );
    await started;
    pending.abort();
    expect(await aborted).toMatchObject({ code: 'RELAY_TIMEOUT' });
    await Promise.race([failed, Promise.resolve()]);
  });
});

describe('CORS', () => {
  it('lets any origin call without credentials', async () => {
    const { headers } = await api().get('/api/v1/open').set('Origin', 'https://app.example');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers['access-control-expose-headers']).toContain('X-Service-Request-Id');
  });

  it('answers preflights', async () => {
    const { status, headers } = await api()
      .options('/api/v1/things/7')
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' });
    expect(status).toBe(204);
    // The wildcard covers every header name but this one.
    const accepted = headers['access-control-allow-headers']!.split(', ');
    expect(accepted).toEqual(expect.arrayContaining(['Authorization', '*']));
  });

  it('exposes the headers that client libraries read for retries and reports', async () => {
    const { headers } = await api().get('/v1/nothing').set('Origin', 'https://app.example');
    const shown = headers['access-control-expose-headers']!.toLowerCase().split(', ');
    expect(shown).toEqual(expect.arrayContaining(['x-request-id', 'request-id', 'x-should-retry', 'retry-after']));
  });
});

describe('probes', () => {
  it('reports the process as healthy, and as ready until it is draining', async () => {
    expect((await api().get('/healthz')).status).toBe(200);
    await harness.ctx.revocations.poll(harness.ctx.pool); // no worker polls here
    expect((await api().get('/readyz')).body).toEqual({ status: 'ready' });
    harness.ctx.lifecycle.isDraining = true;
    const draining = await api().get('/readyz');
    expect([draining.status, draining.body]).toEqual([503, { status: 'unavailable' }]);
    expect((await api().get('/healthz')).status).toBe(200);
    harness.ctx.lifecycle.isDraining = false;
  });
});

describe('the OpenAPI document', () => {
  it('needs no credentials and describes the routes', async () => {
    const { status, body } = await api().get('/api/v1/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/api/v1/things/{id}', '/api/v1/openapi.json']));
  });
});
