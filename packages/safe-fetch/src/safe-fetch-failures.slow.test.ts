import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHarness } from './testing/harness.js';

const { serve, serveTcp, client, local, get, sockets, cleanUp } = createHarness();
afterEach(cleanUp);

/** Enough to reach a server on a loaded machine. */
const REACHED_MS = 1_500;

describe('failures', () => {
  it('reports dns when the name does not resolve or resolves to no address', async () => {
    const failing = client({ lookup: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await failing.fetch('https://hooks.test/')).toMatchObject({ reason: 'dns', reached: false });
    expect(await client({ lookup: async () => [] }).fetch('https://hooks.test/')).toMatchObject({ reason: 'dns' });
  });

  it('reports connect when no server listens', async () => {
    const port = await serveTcp(() => {});
    await cleanUp();
    expect(await get(port)).toMatchObject({ reason: 'connect', message: 'connection refused', reached: false });
  });

  it('reports connect when the endpoint does not speak TLS', async () => {
    const port = await serve((_req, res) => res.end());
    const result = await local().fetch(`https://hooks.test:${port}/`, { allowPrivate: true });
    expect(result).toMatchObject({ reason: 'connect', reached: false });
  });

  it('reports timeout when the name server does not answer', async () => {
    const silent = client({ lookup: () => new Promise(() => {}) });
    expect(await silent.fetch('https://hooks.test/', { timeoutMs: 20 })).toMatchObject({
      reason: 'timeout',
      reached: false,
    });
  });

  it('reports timeout when the endpoint hangs', async () => {
    const port = await serve(() => {});
    expect(await get(port, { timeoutMs: REACHED_MS })).toMatchObject({ reason: 'timeout', reached: true });
  });

  it('reports timeout when the body arrives too slowly although no single pause is too long', async () => {
    const port = await serve((_req, res) => {
      const drip = setInterval(() => res.write('.'), 5);
      res.on('close', () => clearInterval(drip));
    });
    expect(await get(port, { timeoutMs: REACHED_MS })).toMatchObject({ reason: 'timeout', reached: true });
  });

  it('reports timeout when the headers arrive too slowly', async () => {
    const port = await serveTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x: y\r\n'), 5);
      socket.on('close', () => clearInterval(drip));
      socket.on('error', () => {});
    });
    expect(await get(port, { timeoutMs: REACHED_MS })).toMatchObject({ reason: 'timeout', reached: true });
  });

  it('reports timeout when no connection becomes free and sends nothing afterward', async () => {
    const urls: (string | undefined)[] = [];
    let release = () => {};
    const port = await serve((req, res) => {
      urls.push(req.url);
      release = () => res.end();
    });
    const narrow = local({ connectionsPerOrigin: 1 });
    const first = narrow.fetch(`http://hooks.test:${port}/first`, { allowPrivate: true });
    while (urls.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const second = narrow.fetch(`http://hooks.test:${port}/second`, { allowPrivate: true, timeoutMs: 30 });
    expect(await second).toMatchObject({ reason: 'timeout', reached: false });
    release();
    expect(await first).toMatchObject({ ok: true });
    const third = narrow.fetch(`http://hooks.test:${port}/third`, { allowPrivate: true });
    while (urls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    release();
    expect(await third).toMatchObject({ ok: true });
    expect(urls).toEqual(['/first', '/third']);
  });

  it('reports connect when too many requests wait for one host', async () => {
    const port = await serve(() => {});
    const narrow = local({ connectionsPerOrigin: 1, queuedPerOriginMax: 1 });
    const ask = () => narrow.fetch(`http://hooks.test:${port}/`, { allowPrivate: true, timeoutMs: 50 });
    const results = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(results.map((result) => !result.ok && result.reason)).toEqual(['timeout', 'timeout', 'connect', 'connect']);
  });

  it('reports too_large when the announced length exceeds the limit', async () => {
    const port = await serve((_req, res) => {
      res.writeHead(200, { 'content-length': 1_000_000 });
      res.write('x');
    });
    expect(await get(port, { maxResponseBytes: 1000 })).toMatchObject({ reason: 'too_large', reached: true });
  });

  it('reports too_large for an endless body and stops reading it', async () => {
    let written = 0;
    const port = await serve((_req, res) => {
      const fill = () => {
        while (!res.destroyed && res.write(Buffer.alloc(65_536))) written += 65_536;
      };
      res.on('drain', fill);
      fill();
    });
    expect(await get(port, { maxResponseBytes: 100_000 })).toMatchObject({ reason: 'too_large', reached: true });
    expect(written).toBeLessThan(50_000_000);
  });

  it('truncates a longer body when the caller needs only its beginning', async () => {
    const port = await serve((_req, res) => res.end('x'.repeat(5000)));
    const result = await get(port, { maxResponseBytes: 1000, oversize: 'truncate' });
    expect(result).toMatchObject({ ok: true, status: 200, truncated: true });
    expect(result.ok && result.body.length).toBe(1000);
    const exact = await get(port, { maxResponseBytes: 5000, oversize: 'truncate' });
    expect(exact).toMatchObject({ ok: true, truncated: false });
  });

  it('returns a compressed body as received, so that a small one cannot grow', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const port = await serve((_req, res) => {
      res.writeHead(200, { 'content-encoding': 'gzip' });
      res.end(bomb);
    });
    const result = await get(port, { maxResponseBytes: 100_000, headers: { 'accept-encoding': 'gzip' } });
    expect(result).toMatchObject({ ok: true, truncated: false });
    expect(result.ok && result.body.equals(bomb)).toBe(true);
  });

  it('reports too_large when the headers are too long', async () => {
    const port = await serveTcp((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`));
    });
    expect(await get(port)).toMatchObject({ reason: 'too_large' });
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'the answer is not valid HTTP'],
    [
      'an answer that ends too early',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
      'the connection broke before the answer was complete',
    ],
    ['nothing', '', 'the connection broke before the answer was complete'],
  ])('reports protocol for %s', async (_name, bytes, message) => {
    const port = await serveTcp((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes));
    });
    expect(await get(port)).toMatchObject({ reason: 'protocol', message, reached: true });
  });

  it('reports canceled when the caller aborts before or during the request', async () => {
    const port = await serve(() => {});
    expect(await get(port, { signal: AbortSignal.abort() })).toMatchObject({ reason: 'canceled', reached: false });
    const controller = new AbortController();
    const running = get(port, { signal: controller.signal });
    while (sockets.size === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await running).toMatchObject({ reason: 'canceled' });
  });
});

describe('an answer whose body is not complete', () => {
  const broken = 'truncate';
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab';

  it.each<[string, (socket: Socket) => void]>([
    ['is cut off', (socket) => socket.end(head)],
    ['is reset', (socket) => socket.write(head, () => socket.resetAndDestroy())],
    ['never ends', (socket) => socket.write(head)],
    [
      'is no longer HTTP',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\nzz'),
    ],
  ])('fails by default, and is returned as far as it arrived if asked for: it %s', async (_how, answer) => {
    const port = await serveTcp((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
    });
    expect(await get(port, { timeoutMs: REACHED_MS })).toMatchObject({ ok: false, reached: true });
    const result = await get(port, { timeoutMs: REACHED_MS, broken });
    expect(result).toMatchObject({ ok: true, status: 200, truncated: true });
    expect('ab'.startsWith(result.ok ? result.body.toString() : 'x')).toBe(true);
  });

  it('fails when only an interim answer arrived', async () => {
    const port = await serveTcp((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n');
    });
    expect(await get(port, { timeoutMs: REACHED_MS, broken })).toMatchObject({ ok: false, reason: 'timeout' });
  });
});
