import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { lookupBySystem } from './resolver.js';
import { type DnsStub, startDnsStub } from './testing/dns-stub.js';
import { createHarness } from './testing/harness.js';

const { listen, serve, client, cleanUp } = createHarness();
const stubs: DnsStub[] = [];
afterEach(async () => {
  await cleanUp();
  await Promise.all(stubs.splice(0).map((stub) => stub.stop()));
});

async function startStub(...answers: string[][]): Promise<DnsStub> {
  const stub = await startDnsStub((resolution) => answers[resolution] ?? answers.at(-1) ?? []);
  stubs.push(stub);
  return stub;
}

/** An internal server that must not be reached. */
async function guarded(): Promise<{ port: number; connections(): number }> {
  let connections = 0;
  const server = createServer((_req, res) => res.end('a secret'));
  server.on('connection', () => connections++);
  return { port: await listen(server), connections: () => connections };
}

describe('a name whose server changes its answer', () => {
  it('resolves a name once per request and connects to no address that the check rejects', async () => {
    const { port, connections } = await guarded();
    // Documentation addresses replace the public one: they are also refused, so that no packet leaves the machine.
    const stub = await startStub(['203.0.113.7'], ['127.0.0.1']);
    const rebound = client({ lookup: stub.lookup });
    const first = await rebound.fetch(`https://rebind.test:${port}/first`);
    const second = await rebound.fetch(`https://rebind.test:${port}/second`);
    expect([first, second]).toMatchObject([{ reason: 'blocked_address' }, { reason: 'blocked_address' }]);
    // One query per kind of address and request: there is no second resolution that could return another address.
    expect(stub.questions).toHaveLength(4);
    expect(connections()).toBe(0);
  });

  it('connects to the checked address and blocks later answers that name a metadata service', async () => {
    const port = await serve((_req, res) => res.end('ok'));
    const stub = await startStub(
      ['127.0.0.1'],
      ['169.254.169.254'],
      ['127.0.0.1', '169.254.169.254'],
      ['fd00:ec2::254'],
    );
    const rebound = client({ lookup: stub.lookup });
    const results = [];
    for (let n = 0; n < 4; n++)
      results.push(await rebound.fetch(`http://rebind.test:${port}/`, { allowPrivate: true }));
    expect(results).toMatchObject([
      { ok: true, remoteAddress: '127.0.0.1' },
      { ok: false, reason: 'blocked_address' },
      { ok: false, reason: 'blocked_address' },
      { ok: false, reason: 'blocked_address' },
    ]);
  });

  it('blocks a name with a public IPv4 and a private IPv6 address', async () => {
    const stub = await startStub(['93.184.216.34', 'fd00::1']);
    const result = await client({ lookup: stub.lookup }).fetch('https://rebind.test/');
    expect(result).toMatchObject({ ok: false, reason: 'blocked_address' });
  });

  it('resolves the name again for each request', async () => {
    const port = await serve((_req, res) => res.end('ok'));
    const stub = await startStub(['127.0.0.1']);
    const rebound = client({ lookup: stub.lookup });
    for (let n = 0; n < 3; n++) await rebound.fetch(`http://rebind.test:${port}/`, { allowPrivate: true });
    expect(stub.questions).toHaveLength(6);
  });
});

describe('the resolver of the operating system', () => {
  it.each(['localhost', 'localhost.'])('blocks %s as resolved by the operating system', async (name) => {
    const { port, connections } = await guarded();
    const result = await client({ lookup: lookupBySystem }).fetch(`https://${name}:${port}/`);
    expect(result).toMatchObject({ ok: false, reason: 'blocked_address' });
    expect(connections()).toBe(0);
  });
});
