import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { checkPeer } from './origin-pools.js';
import { closeSafeFetch, safeFetch } from './safe-fetch.js';
import { createHarness } from './testing/harness.js';

const { serve, serveTcp, client, local, get, listen, sockets, cleanUp } = createHarness();
afterEach(cleanUp);

describe('a request', () => {
  it('arrives as it was made and returns status, headers and bytes', async () => {
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

  it('rejects headers that control the connection', async () => {
    await expect(get(1, { headers: { Host: 'internal' } })).rejects.toThrow("the header Host is not the caller's");
  });

  it('works through the shared connections', async () => {
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
  it('refuses a private address without naming it', async () => {
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
    ['text that is not an address', ['evil'], true],
  ])('refuses a name with %s', async (_name, addresses, allowPrivate) => {
    const result = await client({ lookup: async () => addresses }).fetch('https://hooks.test/', { allowPrivate });
    expect(result).toMatchObject({ reason: 'blocked_address' });
  });

  it('resolves once per request and connects to that address, even if the name then changes', async () => {
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

  it('checks the address of every request, even when the lookup is cached', async () => {
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

describe('connections', () => {
  it('reuses connections to the same origin and address', async () => {
    let connections = 0;
    const server = createServer((_req, res) => res.end('ok'));
    server.on('connection', () => connections++);
    const port = await listen(server);
    const shared = local();
    for (let i = 0; i < 20; i++) await shared.fetch(`http://hooks.test:${port}/`, { allowPrivate: true });
    // The next request may start before the previous connection counts as free again.
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('closes the connections of the least recently used origin beyond the limit', async () => {
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
