import { lookup as systemLookup } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createNameServerLookup } from './name-servers.js';
import { createSafeFetch } from './safe-fetch.js';
import { type DnsStub, startDnsStub } from './testing/dns-stub.js';

const stubs: DnsStub[] = [];
afterEach(async () => {
  await Promise.all(stubs.splice(0).map((stub) => stub.stop()));
});

async function startStub(answer: Parameters<typeof startDnsStub>[0]) {
  const stub = await startDnsStub(answer);
  stubs.push(stub);
  return { stub, servers: [stub.address] };
}

describe('the lookup of names that users supply', () => {
  it('returns the addresses of both kinds that the name server knows, in alternation', async () => {
    const { servers } = await startStub(() => ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    const lookup = createNameServerLookup({ servers });
    expect(await lookup('both.test')).toEqual(['192.0.2.1', '2001:db8::1', '192.0.2.2']);
  });

  it('returns the addresses of one kind if there are no others', async () => {
    const { servers } = await startStub(() => ['2001:db8::1']);
    expect(await createNameServerLookup({ servers })('new.test')).toEqual(['2001:db8::1']);
  });

  it.each(['localhost', 'LOCALHOST', 'a.localhost'])('resolves %s without a name server', async (name) => {
    const { stub, servers } = await startStub(() => ['192.0.2.1']);
    expect(await createNameServerLookup({ servers })(name)).toEqual(['127.0.0.1', '::1']);
    expect(stub.questions).toEqual([]);
  });

  it('reads the hosts file first', async () => {
    const { stub, servers } = await startStub(() => ['192.0.2.1']);
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-hosts-'));
    try {
      const hostsFile = join(folder, 'hosts');
      await writeFile(
        hostsFile,
        '# 10.0.0.9 other.test\n10.0.0.1\tone.test  Two.test # two.test\n::2 two.test\nx two.test\n',
      );
      const lookup = createNameServerLookup({ servers, hostsFile });
      expect(await lookup('two.test')).toEqual(['10.0.0.1', '::2']);
      expect(stub.questions).toEqual([]);
      expect(await lookup('other.test')).toEqual(['192.0.2.1']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fails after the time limit, and delays no name that the operating system resolves', async () => {
    const { servers } = await startStub(() => undefined);
    const lookup = createNameServerLookup({ servers, timeoutMs: 300 });
    const slow = Promise.allSettled(Array.from({ length: 50 }, (_, i) => lookup(`slow-${i}.test`)));
    let isOver = false;
    void slow.then(() => {
      isOver = true;
    });
    for (let i = 0; i < 10; i++) await systemLookup('localhost');
    expect(isOver).toBe(false);
    for (const outcome of await slow) expect(outcome).toMatchObject({ reason: { code: 'ECANCELLED' } });
  });

  it('rejects names beyond those that may be resolved at the same time', async () => {
    const { servers } = await startStub(() => undefined);
    const lookup = createNameServerLookup({ servers, timeoutMs: 300, runningMax: 2 });
    const running = Promise.allSettled(['a.test', 'b.test'].map(lookup));
    await expect(lookup('c.test')).rejects.toThrow('too many names');
    await running;
    await expect(lookup('c.test')).rejects.toMatchObject({ code: 'ECANCELLED' });
  });
});

describe('a request to a public address', () => {
  it.each(['localhost', 'localhost.', 'a.localhost'])(
    'rejects %s as an address that may not be called',
    async (name) => {
      const client = createSafeFetch();
      expect(await client.fetch(`https://${name}:8443/`)).toMatchObject({ ok: false, reason: 'blocked_address' });
      await client.close();
    },
  );
});
