import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@tollgate/runtime';
import { controllableClock, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { createClient } from 'redis';
import type { RateDecision, RateLimit } from '../domain/gcra.js';
import { MemoryRateStore, type RateStore } from './rate-limit.js';
import { InsuredRateStore, RedisRateStore, type SharedRateStore } from './shared-rate-store.js';

const rate = { limit: 5, periodMs: 60_000 };

/** The conformance suite of rate stores. */
function conformance(store: () => RateStore) {
  it('admits exactly the limit of concurrent requests', async () => {
    const key = randomUUID();
    const decisions = await Promise.all(Array.from({ length: 20 }, () => store().take(key, rate)));
    expect(decisions.filter((decision) => decision.isAllowed)).toHaveLength(5);
  });

  it('counts each key separately', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    for (let i = 0; i < 5; i++) await store().take(a, rate);
    expect(await store().take(a, rate)).toMatchObject({ isAllowed: false, remaining: 0, limit: 5 });
    expect(await store().take(b, rate)).toMatchObject({ isAllowed: true, remaining: 4, limit: 5 });
  });

  it('returns how long to wait', async () => {
    const key = randomUUID();
    for (let i = 0; i < 5; i++) await store().take(key, rate);
    const { retryAfterSeconds, resetSeconds } = await store().take(key, rate);
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(12);
    expect(resetSeconds).toBeLessThanOrEqual(60);
    expect(resetSeconds).toBeGreaterThan(48);
  });

  it('admits the whole limit one request after the other', async () => {
    const [key, wide] = [randomUUID(), { limit: 200, periodMs: 3_600_000 }];
    for (let i = 0; i < 200; i++) expect(await store().take(key, wide)).toMatchObject({ isAllowed: true });
    expect(await store().take(key, wide)).toMatchObject({ isAllowed: false });
  });

  it('restores one request per interval', async () => {
    const key = randomUUID();
    const quick = { limit: 2, periodMs: 200 };
    for (let i = 0; i < 2; i++) await store().take(key, quick);
    await waitUntil(async () => (await store().take(key, quick)).isAllowed, { what: 'an interval to pass' });
  });
}

describe('MemoryRateStore', () => {
  const store = new MemoryRateStore(systemClock);
  conformance(() => store);

  it.each([-60, 60, -3_600, 3_600])('counts on when the wall clock steps by %d s', (seconds) => {
    const clock = controllableClock();
    const stepped = new MemoryRateStore(clock);
    for (let i = 0; i < 3; i++) stepped.take('k', rate);
    clock.set(new Date(clock.nowMs() + seconds * 1_000));
    expect(stepped.take('k', rate)).toMatchObject({ isAllowed: true, remaining: 1 });
    expect(stepped.take('k', rate)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(stepped.take('k', rate)).toMatchObject({ isAllowed: false, retryAfterSeconds: 12 });
  });
});

describeWith('REDIS_URL', 'RedisRateStore', (redisUrl) => {
  let stores: RedisRateStore[] = [];

  beforeAll(async () => {
    stores = [
      new RedisRateStore(redisUrl, systemClock, silentLogger),
      new RedisRateStore(redisUrl, systemClock, silentLogger),
    ];
    for (const store of stores) store.start();
    await waitUntil(() => stores.every((store) => store.isReady), { what: 'redis' });
  });

  afterAll(async () => {
    for (const store of stores) await store.stop();
  });

  // Two edges in turn share one limit.
  let turn = 0;
  conformance(() => stores[turn++ % 2]!);

  describe('behind an InsuredRateStore', () => {
    let insured: InsuredRateStore[] = [];
    beforeAll(() => {
      insured = stores.map((store) => new InsuredRateStore(store, new MemoryRateStore(systemClock), systemClock));
    });
    conformance(() => insured[0]!);

    it('counts each request once, however much the times of answers vary', async () => {
      let asked = 0;
      const uneven = { ...systemClock, elapsed: () => systemClock.elapsed() + (asked++ % 5) * 20 };
      const store = new RedisRateStore(redisUrl, uneven, silentLogger);
      store.start();
      await waitUntil(() => store.isReady, { what: 'redis' });
      const jittery = new InsuredRateStore(store, new MemoryRateStore(uneven), uneven);
      const [key, wide] = [randomUUID(), { limit: 2_000, periodMs: 3_600_000 }];
      for (let i = 1; i <= 200; i++) {
        expect((await jittery.take(key, wide)).remaining).toBeGreaterThanOrEqual(2_000 - i);
        await jittery.take(`${key} of another`, wide);
      }
      await store.stop();
    });

    it('restores what the server has lost', async () => {
      const key = randomUUID();
      for (let i = 0; i < 5; i++) await insured[0]!.take(key, rate);
      const client = createClient({ url: redisUrl });
      await client.connect();
      await client.del(`tollgate:rate:${key}`);
      const isRestored = async () => {
        expect(await insured[0]!.take(key, rate)).toMatchObject({ isAllowed: false });
        return (await client.exists(`tollgate:rate:${key}`)) === 1;
      };
      await waitUntil(isRestored, { what: 'the arrival of the key' });
      expect(await insured[1]!.take(key, rate)).toMatchObject({ isAllowed: false });
      client.destroy();
    });
  });

  it('fails its check when the server answers and takes no writes', async () => {
    const client = createClient({ url: redisUrl });
    await client.connect();
    const user = `reader-${randomUUID()}`;
    await client.aclSetUser(user, ['on', '>secret', '~*', '+@all', '-@write']);
    const store = new RedisRateStore(redisUrl.replace('//', `//${user}:secret@`), systemClock, silentLogger);
    store.start();
    try {
      await waitUntil(() => store.isReady, { what: 'redis' });
      await expect(store.check()).rejects.toThrow('NOPERM');
    } finally {
      await store.stop();
      await client.aclDelUser(user);
      client.destroy();
    }
  });

  it('frees a customer within one interval after the clock of the server stepped back an hour', async () => {
    const [key, quick] = [randomUUID(), { limit: 50, periodMs: 1_000 }];
    const client = createClient({ url: redisUrl });
    await client.connect();
    await client.set(`tollgate:rate:${key}`, String((Date.now() + 3_600_000) * 1_000), { PX: 3_600_000 });
    client.destroy();
    const refused = await stores[0]!.take(key, quick);
    expect(refused).toMatchObject({ isAllowed: false, retryAfterSeconds: 1, resetSeconds: 1 });
    await waitUntil(async () => (await stores[1]!.take(key, quick)).isAllowed, {
      what: 'an interval to pass',
      timeoutMs: 5_000,
    });
  });

  it('touches one key per command, so that keys may be on several servers', async () => {
    const commands: string[] = [];
    const monitor = createClient({ url: redisUrl });
    await monitor.connect();
    await monitor.monitor((command) => commands.push(String(command)));
    const keys = [randomUUID(), randomUUID()];
    await Promise.all(keys.map((key) => stores[0]!.take(key, rate)));
    const named = () => commands.filter((command) => keys.some((key) => command.includes(key)));
    await waitUntil(() => named().length >= 6, { what: 'the commands of both keys' });
    monitor.destroy();
    expect(named().filter((command) => keys.every((key) => command.includes(key)))).toEqual([]);
    for (const command of named().filter((text) => /"eval/i.test(text)))
      expect(command).toMatch(/"eval(sha)?" "[^"]+" "1" "tollgate:rate:/i);
  });
});

/** A shared store in memory that fails and forgets on demand. */
class FakeSharedStore implements SharedRateStore {
  isReady = true;
  #memory = new MemoryRateStore(systemClock);

  take(key: string, limit: RateLimit, knownArrivalMs: number | undefined): RateDecision {
    if (knownArrivalMs !== undefined) this.#memory.note(key, knownArrivalMs);
    return this.#memory.take(key, limit);
  }

  forget(): void {
    this.#memory = new MemoryRateStore(systemClock);
  }
}

describe('InsuredRateStore', () => {
  const insurance = () => new MemoryRateStore(systemClock);
  const take = async (store: RateStore, times: number) => {
    const decisions = [];
    for (let i = 0; i < times; i++) decisions.push(await store.take('k', rate));
    return decisions.filter(({ isAllowed }) => isAllowed).length;
  };

  it('admits one limit in all while the shared store fails, returns and forgets', async () => {
    const shared = new FakeSharedStore();
    const store = new InsuredRateStore(shared, insurance(), systemClock);
    expect(await take(store, 2)).toBe(2);
    shared.isReady = false;
    expect(await take(store, 2)).toBe(2);
    shared.isReady = true;
    expect(await take(store, 2)).toBe(1);
    shared.forget();
    expect(await take(store, 2)).toBe(0);
    shared.isReady = false;
    expect(await take(store, 2)).toBe(0);
  });

  it('sends the shared store what it counted alone, so that other processes continue from there', async () => {
    const shared = new FakeSharedStore();
    const stores = [1, 2].map(() => new InsuredRateStore(shared, insurance(), systemClock));
    shared.isReady = false;
    expect(await take(stores[0]!, 4)).toBe(4);
    shared.isReady = true;
    expect(await take(stores[0]!, 1)).toBe(1);
    expect(await take(stores[1]!, 1)).toBe(0);
  });

  it('counts in memory while the shared store is unavailable', async () => {
    const away = new RedisRateStore('redis://127.0.0.1:1', systemClock, silentLogger);
    away.start();
    const store = new InsuredRateStore(away, insurance(), systemClock);
    for (let i = 0; i < 5; i++) expect(await store.take('k', rate)).toMatchObject({ isAllowed: true });
    expect(await store.take('k', rate)).toMatchObject({ isAllowed: false });
    await away.stop();
  });

  it('counts in memory after a failure of the shared store, and pauses it for a second', async () => {
    let asked = 0;
    const take = () => {
      asked++;
      return Promise.reject(new Error('connection lost'));
    };
    const clock = controllableClock();
    const store = new InsuredRateStore({ isReady: true, take }, insurance(), clock);
    for (let i = 0; i < 3; i++)
      expect(await store.take('k', rate)).toMatchObject({ isAllowed: true, remaining: 4 - i });
    expect(asked).toBe(1);
    clock.advance({ seconds: 1 });
    await store.take('k', rate);
    expect(asked).toBe(2);
  });

  it('prefers the shared store', async () => {
    const shared = new FakeSharedStore();
    const store = new InsuredRateStore(shared, insurance(), systemClock);
    await store.take('k', rate);
    expect(shared.take('k', rate, undefined).remaining).toBe(3);
  });
});
