import { createServer, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LoopShare } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { Exchange } from '../exchange/exchange.js';
import { defineRoute, type RouteResult } from '../exchange/route.js';
import { writeResult } from './write-result.js';

let servers: Server[] = [];

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const ctx = { openStreams: new Set(), sharedLoop: new LoopShare() } as unknown as Context;
const route = defineRoute({
  method: 'GET',
  path: '/events',
  tag: 'Test',
  summary: 'Test',
  auth: 'none',
  success: { status: 200 },
  handler: async () => ({}),
});

/** Serves the result to one client. */
function serving(result: RouteResult, onWritten: () => void = () => undefined): Promise<number> {
  return listen((req, res) => {
    const exchange = new Exchange(route, ctx, req, res, { params: {}, query: {}, path: '/events' });
    void writeResult(exchange, result, 200).then(onWritten);
  });
}

async function read(port: number) {
  const res = await fetch(`http://127.0.0.1:${port}/`);
  return { status: res.status, type: res.headers.get('content-type'), text: await res.text() };
}

async function* events() {
  yield { json: '{"seq":1}', id: '1' };
  yield { json: Buffer.from('{"seq":2}') };
}

describe('writeResult', () => {
  it('answers JSON, text and an empty 204', async () => {
    expect(await read(await serving({ body: { a: 1 }, status: 201 }))).toEqual({
      status: 201,
      type: 'application/json; charset=utf-8',
      text: '{"a":1}',
    });
    const page = { body: '<p>', headers: { 'Content-Type': 'text/html' } };
    expect(await read(await serving(page))).toEqual({ status: 200, type: 'text/html', text: '<p>' });
    expect(await read(await serving({ status: 204 }))).toEqual({ status: 204, type: null, text: '' });
  });

  it('frames events as lines, and as SSE with ids', async () => {
    const lines = await read(await serving({ format: 'ndjson', ndjsonType: 'application/x-ndjson', events: events() }));
    expect(lines).toEqual({ status: 200, type: 'application/x-ndjson', text: '{"seq":1}\n{"seq":2}\n' });
    const { text } = await read(await serving({ format: 'sse', events: events() }));
    expect(text).toBe('id: 1\ndata: {"seq":1}\n\ndata: {"seq":2}\n\n');
  });

  it('sends bytes as they are', async () => {
    async function* chunks() {
      yield Buffer.from('ab');
      yield 'c';
    }
    const audio = await read(await serving({ headers: { 'Content-Type': 'audio/mpeg' }, chunks: chunks() }));
    expect(audio).toEqual({ status: 200, type: 'audio/mpeg', text: 'abc' });
  });

  it('sends the headers although the first event is late', async () => {
    let release: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* lateEvents() {
      await late;
      yield { json: '1' };
    }
    const port = await serving({ format: 'ndjson', events: lateEvents() });
    const res = await fetch(`http://127.0.0.1:${port}/`);
    release();
    expect(await res.text()).toBe('1\n');
  });

  it('returns its source when the client leaves', async () => {
    let isReturned = false;
    async function* endless() {
      try {
        for (;;) {
          yield { json: '1' };
          await new Promise(setImmediate);
        }
      } finally {
        isReturned = true;
      }
    }
    const written = new Promise<void>((resolve, reject) => {
      void serving({ format: 'ndjson', events: endless() }, resolve).then((port) => {
        const req = request({ port, host: '127.0.0.1' }, (res) => {
          res.on('error', () => undefined);
          res.once('data', () => req.destroy());
        });
        req.on('error', reject).end();
      });
    });
    await written;
    expect(isReturned).toBe(true);
  });
});
