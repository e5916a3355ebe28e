import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { createLogger } from '@tollgate/runtime';
import { parseMetrics, waitUntil } from '@tollgate/testkit';
import { z } from 'zod';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { type HttpServer, startHttpServer } from '../server/server.js';
import { logMalformed } from './request-record.js';
import { defineRoute, type Route } from './route.js';

const base = { tag: 'Test', summary: 'Test', success: { status: 200 } } as const;
let onStarted: () => void = () => undefined;

const routes: Route[] = [
  defineRoute({
    ...base,
    method: 'POST',
    path: '/things/:id',
    auth: ['secret_key'],
    body: z.object({ fails: z.boolean().optional() }),
    handler: async ({ body }) => {
      if (body.fails) throw new AppError('NOT_FOUND', 'no such thing');
      return { body: { ok: true } };
    },
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/stream',
    auth: ['secret_key'],
    handler: async ({ call }) => ({
      headers: { 'Content-Type': 'application/x-ndjson' },
      chunks: (async function* () {
        yield 'one\n';
        if (!call.requestId.startsWith('left')) return;
        onStarted();
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
      })(),
    }),
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/broken',
    auth: ['secret_key'],
    handler: async () => ({
      headers: { 'Content-Type': 'application/octet-stream' },
      chunks: (async function* () {
        yield 'one\n';
        throw new AppError('PROVIDER_ERROR', 'it broke');
      })(),
    }),
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/endless',
    auth: ['secret_key'],
    handler: async () => ({
      headers: { 'Content-Type': 'application/octet-stream' },
      chunks: (async function* () {
        for (;;) yield Buffer.alloc(64 * 1024);
      })(),
    }),
  }),
];

// biome-ignore lint/suspicious/noExplicitAny: lines are read freely
const lines: any[] = [];
let harness: RouteTest;
let http: HttpServer;

beforeAll(async () => {
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger('edge-gateway', 'info', destination);
  harness = await startRouteTest(import.meta.url, routes, [], { logger });
  http = await startHttpServer(harness.app, { host: '127.0.0.1', port: 0 }, harness.ctx.openStreams, (requestId) =>
    logMalformed(harness.ctx.requestLog, requestId),
  );
});
afterAll(async () => {
  await http.stop(0);
  await harness.stop();
});

function ask(path: string, init: RequestInit & { id: string }): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${harness.tenant.secretKey}`,
    'X-Service-Request-Id': init.id,
    ...init.headers,
  };
  return fetch(`http://${http.address}${path}`, { ...init, headers });
}

/** The lines of a request, once it has one and the connection has nothing left to report. */
async function readLines(id: string) {
  const found = () => lines.filter((line) => line.request_id === id && line.msg === 'request ended');
  await waitUntil(() => found().length > 0, { what: `the line of ${id}` });
  await ask('/api/v1/stream', { id: `after ${id}`.replaceAll(' ', '-') }).then((answer) => answer.text());
  return found();
}

describe('the log', () => {
  it('has the route, caller, sizes and times of a request', async () => {
    await ask('/api/v1/things/7?limit=1', { id: 'unknown-query', method: 'POST', body: '{}' });
    await ask('/api/v1/things/7', { id: 'served', method: 'POST', body: '{"fails":false}' });
    expect(await readLines('served')).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        service: 'edge-gateway',
        msg: 'request ended',
        request_id: 'served',
        method: 'POST',
        route: '/api/v1/things/:id',
        status: 200,
        outcome: 'completed',
        credential: 'secret_key',
        project_id: harness.tenant.projectId,
        is_stream: false,
        client_left: false,
        request_bytes: 15,
        response_bytes: 11,
        duration_ms: expect.any(Number),
      },
    ]);
    expect(await readLines('unknown-query')).toMatchObject([{ status: 400, error_code: 'VALIDATION_ERROR' }]);
  });

  it.each([
    ['refused', '/api/v1/things/7', { body: '{"fails":true}' }, 404, 'NOT_FOUND'],
    ['malformed', '/api/v1/things/7', { body: '{' }, 400, 'INVALID_INPUT'],
    ['too-large', '/api/v1/things/7', { body: `{"a":"${'x'.repeat(1024 * 1024)}"}` }, 413, 'PAYLOAD_TOO_LARGE'],
    ['anonymous', '/api/v1/things/7', { body: '{}', headers: { Authorization: 'Bearer x' } }, 401, 'UNAUTHORIZED'],
  ])('has one line of a request that is %s', async (id, path, init, status, code) => {
    await ask(path, { id, method: 'POST', ...init }).then((answer) => answer.text());
    expect(await readLines(id)).toMatchObject([
      { route: '/api/v1/things/:id', status, error_code: code, outcome: 'failed', client_left: false },
    ]);
  });

  it('has one line of a rate-limited request', async () => {
    const { limitsPerMinute } = harness.ctx.config;
    const limit = limitsPerMinute.secretKey;
    // A key that no other test uses: its bucket is full at first, and stays empty for a minute.
    const headers = { Authorization: `Bearer ${harness.stranger.secretKey}` };
    limitsPerMinute.secretKey = 1;
    for (const id of ['limited-1', 'limited-2']) {
      await ask('/api/v1/things/7', { id, method: 'POST', body: '{}', headers }).then((answer) => answer.text());
    }
    limitsPerMinute.secretKey = limit;
    expect(await readLines('limited-2')).toMatchObject([{ status: 429, error_code: 'RATE_LIMIT' }]);
  });

  it('names no address that belongs to no endpoint', async () => {
    await ask('/api/v1/nothing?key=hush', { id: 'nowhere' }).then((answer) => answer.text());
    const found = await readLines('nowhere');
    expect(found).toMatchObject([{ method: 'GET', status: 404, error_code: 'NOT_FOUND' }]);
    expect(found[0]).not.toHaveProperty('route');
    expect(JSON.stringify(lines)).not.toContain('hush');
  });

  it('has the line of a stream at its end', async () => {
    await ask('/api/v1/stream', { id: 'streamed' }).then((answer) => answer.text());
    expect(await readLines('streamed')).toMatchObject([{ is_stream: true, outcome: 'completed', response_bytes: 4 }]);
  });

  it('has one line of a client that leaves, before and after its answer has started', async () => {
    const started = new Promise<void>((resolve) => {
      onStarted = resolve;
    });
    const leaving = new AbortController();
    const answer = await ask('/api/v1/stream', { id: 'left', signal: leaving.signal });
    await started;
    leaving.abort();
    await answer.text().catch(() => undefined);
    expect(await readLines('left')).toMatchObject([{ status: 200, outcome: 'client_left', client_left: true }]);

    const socket = connect(Number(http.address.split(':')[1]), '127.0.0.1');
    await once(socket, 'connect');
    const head = ['POST /api/v1/things/7 HTTP/1.1', 'Host: a', 'Content-Length: 9', 'X-Service-Request-Id: left-early'];
    socket.write(`${head.join('\r\n')}\r\nAuthorization: Bearer ${harness.tenant.secretKey}\r\n\r\n{`);
    await ask('/api/v1/stream', { id: 'between' }).then((each) => each.text());
    socket.destroy();
    expect(await readLines('left-early')).toMatchObject([{ status: 499, outcome: 'client_left', client_left: true }]);
  });

  it('reports a stream of bytes that breaks as failed', async () => {
    await expect(ask('/api/v1/broken', { id: 'broken' }).then((answer) => answer.text())).rejects.toThrow();
    expect(await readLines('broken')).toMatchObject([
      { status: 200, outcome: 'failed', error_code: 'PROVIDER_ERROR', client_left: false, response_bytes: 4 },
    ]);
  });

  it('reports a stream of bytes that a stop cuts as failed', async () => {
    const started = new Promise<void>((resolve) => {
      onStarted = resolve;
    });
    const answer = await ask('/api/v1/stream', { id: 'left-to-the-stop' });
    await started;
    for (const stream of harness.ctx.openStreams) stream.shutDown();
    await expect(answer.text()).rejects.toThrow();
    expect(await readLines('left-to-the-stop')).toMatchObject([
      { status: 200, outcome: 'failed', error_code: 'SERVICE_UNAVAILABLE', client_left: false },
    ]);
  });

  it('has a line of each pipelined request whose client leaves, and counts none of them further', async () => {
    const started = new Promise<void>((resolve) => {
      onStarted = resolve;
    });
    const inFlight = async () =>
      parseMetrics(await harness.metrics.scrape()).tollgate_http_requests_in_flight?.samples[0]?.value;
    const socket = connect(Number(http.address.split(':')[1]), '127.0.0.1');
    const asked = (path: string, id: string) =>
      [
        `GET ${path} HTTP/1.1`,
        'Host: a',
        `Authorization: Bearer ${harness.tenant.secretKey}`,
        `X-Service-Request-Id: ${id}`,
      ]
        .concat('', '')
        .join('\r\n');
    const paths = ['/api/v1/stream', '/api/v1/stream', '/api/v1/nothing', '/api/v1/endless'];
    const ids = paths.map((_path, at) => `left-${at}`);
    socket.write(paths.map((path, at) => asked(path, ids[at]!)).join(''));
    await started;
    await waitUntil(async () => (await inFlight()) === 4, { what: 'the requests' });
    await waitUntil(() => harness.ctx.openStreams.size === 3, { what: 'the streams' });
    const before = lines.length;
    socket.destroy();
    const since = () => lines.slice(before).filter((line) => line.msg === 'request ended');
    await waitUntil(() => since().length === 4, { what: 'the lines' });
    expect(since().every((line) => line.outcome === 'client_left')).toBe(true);
    expect(
      since()
        .map((line) => line.request_id)
        .sort(),
    ).toEqual(ids);
    await waitUntil(async () => (await inFlight()) === 0, { what: 'the end of all requests' });
    expect(harness.ctx.openStreams.size).toBe(0);
  });

  it('logs a line for bytes that are not a request', async () => {
    const before = lines.length;
    const socket = connect(Number(http.address.split(':')[1]), '127.0.0.1');
    socket.write('hush hush\r\n\r\n');
    await once(socket.resume(), 'close');
    const id = () => lines.slice(before).filter((line) => line.msg === 'request ended');
    await waitUntil(() => id().length > 0, { what: 'the line' });
    expect(id()).toMatchObject([{ status: 400, error_code: 'INVALID_INPUT', outcome: 'failed' }]);
  });

  it('has no lines of probes', async () => {
    const before = lines.length;
    for (const path of ['/healthz', '/readyz'])
      await fetch(`http://${http.address}${path}`).then((each) => each.text());
    await ask('/api/v1/stream', { id: 'after-probes' }).then((each) => each.text());
    await readLines('after-probes');
    expect(lines.slice(before).filter((line) => !String(line.request_id).startsWith('after-'))).toEqual([]);
  });
});
