import { once } from 'node:events';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { checkPeer } from './origin-pools.js';
import {
  closeSafeFetch,
  createSafeFetch,
  type SafeFetchClient,
  type SafeFetchInit,
  type SafeFetchOptions,
  safeFetch,
} from './safe-fetch.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();
const clients: SafeFetchClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: Server, { host = '127.0.0.1', port = 0 } = {}): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const serve = (handler: RequestListener, at?: { host?: string; port?: number }) => listen(createServer(handler), at);
const serveTcp = (handler: (socket: Socket) => void) => listen(createTcpServer(handler));

function client(options: SafeFetchOptions = {}): SafeFetchClient {
  const created = createSafeFetch({ lookupTtlMs: 0, ...options });
  clients.push(created);
  return created;
}

/** A client for which every name is the loopback address. */
const local = (options: SafeFetchOptions = {}) => client({ lookup: async () => ['127.0.0.1'], ...options });
const get = (port: number, init: SafeFetchInit = {}, options?: SafeFetchOptions) =>
  local(options).fetch(`http://hooks.test:${port}/path?q=1`, { allowPrivate: true, ...init });

describe('a request', () => {
  it('arrives as it was made and brings status, headers and bytes', async () => {
    const port = await serve((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        res.writeHead(418, { 'x-tea': 'green' });
        res.end(
          JSON.stringify({
            method: req.method,
            url: req.url,
            host: req.headers.host,
            sig: req.headers['x-sig'],
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
    });
    const result = await get(port, { method: 'POST', body: '{"ä":1}', headers: { 'X-Sig': 's' } });
    expect(result).toMatchObject({
      ok: true,
      status: 418,
      headers: { 'x-tea': 'green' },
      truncated: false,
      remoteAddress: '127.0.0.1',
    });
    expect(result.ok && JSON.parse(result.body.toString())).toEqual({
      method: 'POST',
      url: '/path?q=1',
      host: `hooks.test:${port}`,
      sig: 's',
      body: '{"ä":1}',
    });
  });

  it('leaves the headers of the connection alone', async () => {
    await expect(get(1, { headers: { Host: 'internal' } })).rejects.toThrow("the header Host is not the caller's");
  });

  it('works through the shared connections, too', async () => {
    const port = await serve((_req, res) => res.end('ok'));
    expect(await safeFetch(`http://127.0.0.1:${port}/`, { allowPrivate: true })).toMatchObject({
      ok: true,
      status: 200,
    });
    await closeSafeFetch();
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i: it is the result', async (status) => {
    let calls = 0;
    const port = await serve((_req, res) => {
      calls++;
      res.writeHead(status, { location: '/elsewhere' });
      res.end();
    });
    expect(await get(port)).toMatchObject({ ok: true, status, headers: { location: '/elsewhere' } });
    expect(calls).toBe(1);
  });
});

describe('addresses', () => {
  it('refuses a private address, and says nothing about it', async () => {
    let calls = 0;
    const port = await serve((_req, res) => {
      calls++;
      res.end();
    });
    const result = await local().fetch(`https://hooks.test:${port}/`);
    expect(result).toEqual({
      ok: false,
      reason: 'blocked_address',
      message: 'the host may not be called',
      reached: false,
    });
    expect(calls).toBe(0);
  });

  it.each([
    ['one private among public ones', ['93.184.216.34', '10.0.0.1'], false],
    ['one private IPv6 among public ones', ['93.184.216.34', 'fd00::1'], false],
    ['a mapped address', ['::ffff:127.0.0.1'], false],
    ['a metadata address', ['169.254.169.254'], true],
    ['a metadata address among private ones', ['127.0.0.1', 'fd00:ec2::254'], true],
    ['something that is no address', ['evil'], true],
  ])('refuses a name with %s', async (_name, addresses, allowPrivate) => {
    const result = await client({ lookup: async () => addresses }).fetch('https://hooks.test/', { allowPrivate });
    expect(result).toMatchObject({ reason: 'blocked_address' });
  });

  it('resolves once per request and connects to that very address, whatever the name says next', async () => {
    const port = await serve((_req, res) => res.end('first'), { host: '127.0.0.1' });
    await serve((_req, res) => res.end('second'), { host: '127.0.0.2', port });
    const answers = ['127.0.0.1', '127.0.0.2', '169.254.169.254'];
    let asked = 0;
    const rebinding = client({ lookup: async () => [answers[asked++] ?? '10.0.0.1'] });
    const bodies = [];
    for (let i = 0; i < 3; i++) {
      const result = await rebinding.fetch(`http://hooks.test:${port}/`, { allowPrivate: true });
      bodies.push(result.ok ? result.body.toString() : result.reason);
    }
    // A kept connection to 127.0.0.1 is not used once the name has moved.
    expect(bodies).toEqual(['first', 'second', 'blocked_address']);
    expect(asked).toBe(3);
  });

  it('checks the address of every request also when the lookup is remembered', async () => {
    const port = await serve((_req, res) => res.end('ok'));
    let asked = 0;
    const remembering = client({
      lookupTtlMs: 60_000,
      lookup: async () => {
        asked++;
        return ['127.0.0.1'];
      },
    });
    const url = `https://hooks.test:${port}/`;
    expect(await remembering.fetch(url.replace('https', 'http'), { allowPrivate: true })).toMatchObject({ ok: true });
    expect(await remembering.fetch(url)).toMatchObject({ reason: 'blocked_address' });
    expect(asked).toBe(1);
  });

  it('refuses a connection whose other end is another address', () => {
    expect(checkPeer({ remoteAddress: '127.0.0.1' }, '93.184.216.34', false)).toMatchObject({
      reason: 'blocked_address',
    });
    expect(checkPeer({ remoteAddress: '127.0.0.1' }, '127.0.0.1', false)).toMatchObject({ reason: 'blocked_address' });
    expect(checkPeer({ remoteAddress: '127.0.0.1' }, '127.0.0.1', true)).toBeUndefined();
    expect(checkPeer({ remoteAddress: undefined }, '127.0.0.1', true)).toMatchObject({ reason: 'connect' });
  });

  it('tries the next address when one cannot be connected to', async () => {
    const port = await serve((_req, res) => res.end('ok'), { host: '127.0.0.2' });
    const result = await client({ lookup: async () => ['127.0.0.3', '127.0.0.2'] }).fetch(
      `http://hooks.test:${port}/`,
      { allowPrivate: true },
    );
    expect(result).toMatchObject({ ok: true, remoteAddress: '127.0.0.2' });
  });

  it('keeps the name for TLS while it connects to the address', async () => {
    const hello = new Promise<Buffer>((resolve) => {
      void serveTcp((socket) =>
        socket.once('data', (bytes) => {
          resolve(bytes);
          socket.destroy();
        }),
      ).then((port) => local().fetch(`https://hooks.test:${port}/`, { allowPrivate: true }));
    });
    expect((await hello).includes('hooks.test')).toBe(true);
  });
});

describe('failures', () => {
  it('dns: the name does not resolve, or to nothing', async () => {
    const failing = client({ lookup: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await failing.fetch('https://hooks.test/')).toMatchObject({ reason: 'dns', reached: false });
    expect(await client({ lookup: async () => [] }).fetch('https://hooks.test/')).toMatchObject({ reason: 'dns' });
  });

  it('connect: nobody listens', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    servers.pop();
    server.close();
    await once(server, 'close');
    expect(await get(port)).toMatchObject({ reason: 'connect', message: 'connection refused', reached: false });
  });

  it('connect: TLS is not spoken', async () => {
    const port = await serve((_req, res) => res.end());
    const result = await local().fetch(`https://hooks.test:${port}/`, { allowPrivate: true });
    expect(result).toMatchObject({ reason: 'connect', reached: false });
  });

  it('timeout: the name server is silent', async () => {
    const silent = client({ lookup: () => new Promise(() => {}) });
    expect(await silent.fetch('https://hooks.test/', { timeoutMs: 20 })).toMatchObject({
      reason: 'timeout',
      reached: false,
    });
  });

  it('timeout: the endpoint hangs', async () => {
    const port = await serve(() => {});
    expect(await get(port, { timeoutMs: 30 })).toMatchObject({ reason: 'timeout', reached: true });
  });

  it('timeout: the endpoint drips so slowly that no single pause is too long', async () => {
    const port = await serve((_req, res) => {
      const drip = setInterval(() => res.write('.'), 5);
      res.on('close', () => clearInterval(drip));
    });
    expect(await get(port, { timeoutMs: 60 })).toMatchObject({ reason: 'timeout', reached: true });
  });

  it('timeout: the headers drip', async () => {
    const port = await serveTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x: y\r\n'), 5);
      socket.on('close', () => clearInterval(drip));
      socket.on('error', () => {});
    });
    expect(await get(port, { timeoutMs: 60 })).toMatchObject({ reason: 'timeout', reached: true });
  });

  it('timeout: no connection became free, and nothing is sent afterwards', async () => {
    const urls: (string | undefined)[] = [];
    let release = () => {};
    const port = await serve((req, res) => {
      urls.push(req.url);
      release = () => res.end();
    });
    const narrow = local({ connectionsPerOrigin: 1 });
    const first = narrow.fetch(`http://hooks.test:${port}/first`, { allowPrivate: true });
    const second = narrow.fetch(`http://hooks.test:${port}/second`, { allowPrivate: true, timeoutMs: 30 });
    expect(await second).toMatchObject({ reason: 'timeout', reached: false });
    release();
    expect(await first).toMatchObject({ ok: true });
    const third = narrow.fetch(`http://hooks.test:${port}/third`, { allowPrivate: true, timeoutMs: 1000 });
    while (urls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    release();
    expect(await third).toMatchObject({ ok: true });
    expect(urls).toEqual(['/first', '/third']);
  });

  it('connect: too many wait for one host', async () => {
    const port = await serve(() => {});
    const narrow = local({ connectionsPerOrigin: 1, queuedPerOriginMax: 1 });
    const ask = () => narrow.fetch(`http://hooks.test:${port}/`, { allowPrivate: true, timeoutMs: 50 });
    const results = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(results.map((result) => !result.ok && result.reason)).toEqual(['timeout', 'timeout', 'connect', 'connect']);
  });

  it('too_large: announced, without reading it', async () => {
    const port = await serve((_req, res) => {
      res.writeHead(200, { 'content-length': 1_000_000 });
      res.write('x');
    });
    expect(await get(port, { maxResponseBytes: 1000 })).toMatchObject({ reason: 'too_large', reached: true });
  });

  it('too_large: endless, cut off while it streams', async () => {
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

  it('a longer answer is cut instead when the caller only needs its beginning', async () => {
    const port = await serve((_req, res) => res.end('x'.repeat(5000)));
    const result = await get(port, { maxResponseBytes: 1000, oversize: 'truncate' });
    expect(result).toMatchObject({ ok: true, status: 200, truncated: true });
    expect(result.ok && result.body.length).toBe(1000);
    const exact = await get(port, { maxResponseBytes: 5000, oversize: 'truncate' });
    expect(exact).toMatchObject({ ok: true, truncated: false });
  });

  it('too_large: headers', async () => {
    const port = await serveTcp((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`));
    });
    expect(await get(port)).toMatchObject({ reason: 'too_large' });
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'the answer is no valid HTTP'],
    [
      'an answer that ends too early',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
      'the connection broke before the answer was complete',
    ],
    ['nothing', '', 'the connection broke before the answer was complete'],
  ])('protocol: %s', async (_name, bytes, message) => {
    const port = await serveTcp((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes));
    });
    expect(await get(port)).toMatchObject({ reason: 'protocol', message, reached: true });
  });

  it("canceled: by the caller's signal, before and during", async () => {
    const port = await serve(() => {});
    expect(await get(port, { signal: AbortSignal.abort() })).toMatchObject({ reason: 'canceled', reached: false });
    const controller = new AbortController();
    const running = get(port, { signal: controller.signal });
    while (sockets.size === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await running).toMatchObject({ reason: 'canceled' });
  });
});

describe('connections', () => {
  it('are kept between requests to the same origin and address', async () => {
    let connections = 0;
    const server: HttpServer = createServer((_req, res) => res.end('ok'));
    server.on('connection', () => connections++);
    const port = await listen(server);
    const shared = local();
    for (let i = 0; i < 20; i++) await shared.fetch(`http://hooks.test:${port}/`, { allowPrivate: true });
    // The next request may start before the previous connection counts as free again.
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('are bounded: the longest unused origin is given up', async () => {
    const ports = await Promise.all([1, 2, 3, 4].map(() => serve((_req, res) => res.end('ok'))));
    const bounded = local({ originsMax: 2 });
    for (const port of ports) await bounded.fetch(`http://hooks.test:${port}/`, { allowPrivate: true });
    while (sockets.size > 2) await new Promise((resolve) => setImmediate(resolve));
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('asks the name server once for many requests at a time', async () => {
    const port = await serve((_req, res) => res.end('ok'));
    let asked = 0;
    const coalescing = client({
      lookupTtlMs: 1000,
      lookup: async () => {
        asked++;
        return ['127.0.0.1'];
      },
    });
    const results = await Promise.all(
      Array.from({ length: 50 }, () => coalescing.fetch(`http://hooks.test:${port}/`, { allowPrivate: true })),
    );
    expect(results.every((result) => result.ok)).toBe(true);
    expect(asked).toBe(1);
  });
});
