import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@redis/client';
import { silentLogger, systemClock } from '@tollgate/runtime';
import { controllableClock, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { InsuredRateStore } from './insured-rate-store.js';
import { MemoryRateStore } from './memory-rate-store.js';
import type { RateStore } from './rate-store.js';
import { RedisRateStore } from './redis-rate-store.js';

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
    stores = [new RedisRateStore(redisUrl, silentLogger), new RedisRateStore(redisUrl, silentLogger)];
    for (const store of stores) store.start();
    await waitUntil(() => stores.every((store) => store.isReady), { what: 'redis' });
  });

  afterAll(async () => {
    for (const store of stores) await store.stop();
  });

  // Two edges in turn share one limit.
  let turn = 0;
  conformance(() => stores[turn++ % 2]!);

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

describe('InsuredRateStore', () => {
  const insurance = () => new MemoryRateStore(systemClock);

  it('counts in memory while the shared store is unavailable', async () => {
    const away = new RedisRateStore('redis://127.0.0.1:1', silentLogger);
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
    const shared = new MemoryRateStore(systemClock);
    const store = new InsuredRateStore(Object.assign(shared, { isReady: true }), insurance(), systemClock);
    await store.take('k', rate);
    expect(shared.take('k', rate).remaining).toBe(3);
  });
});
