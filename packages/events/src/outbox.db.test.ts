import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase, withTransaction } from '@tollgate/postgres';
import { newOrderedId } from '@tollgate/runtime';
import { consumeFresh, consumeOnce, purgeConsumedEvents } from './consume-once.js';
import type { OutboxEvent } from './event.js';
import { appendEvents, outboxBacklog } from './outbox.js';
import { markPublished, readUnpublished, removePublished } from './outbox-rows.js';
import { createRelayLease } from './relay-lease.js';
import { CONSUMED_EVENTS_SQL, OUTBOX_SQL } from './tables.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  await database.pool.query(`${OUTBOX_SQL}${CONSUMED_EVENTS_SQL}CREATE TABLE effect (id uuid)`);
});

afterAll(() => database.drop());

beforeEach(async () => {
  await database.pool.query('TRUNCATE outbox, outbox_lease, consumed_events, effect');
});

function event(text: string): OutboxEvent {
  const base = { topic: 'topic', key: 'key', type: 'type', occurredAt: new Date('2025-01-02T03:04:05.678Z') };
  return { ...base, id: newOrderedId(), payload: Buffer.from(text) };
}

const append = (...texts: string[]) => appendEvents(database.pool, texts.map(event));
const read = () => readUnpublished(database.pool, '/source', 0n, 100);
const texts = (rows: Awaited<ReturnType<typeof read>>['rows']) =>
  rows.map((row) => Buffer.from(row.event.payload).toString());

describe('outbox', () => {
  it('gives events their seq in the order they were appended', async () => {
    await append(...Array.from({ length: 50 }, (_, index) => `e${index}`));
    expect(texts((await read()).rows)).toEqual(Array.from({ length: 50 }, (_, index) => `e${index}`));
  });

  it('takes payloads that are views into larger buffers', async () => {
    const large = Buffer.from('---payload---');
    await appendEvents(database.pool, [
      { ...event(''), payload: new Uint8Array(large.buffer, large.byteOffset + 3, 7) },
    ]);
    expect(texts((await read()).rows)).toEqual(['payload']);
  });

  it('reports the number and the age of waiting events', async () => {
    expect(await outboxBacklog(database.pool)).toEqual({ unpublished: 0, oldestSeconds: 0 });
    await append('a', 'b');
    const backlog = await outboxBacklog(database.pool);
    expect(backlog.unpublished).toBe(2);
    expect(backlog.oldestSeconds).toBeGreaterThan(0);
  });

  it('keeps published rows for the retention, then removes them in bounded batches', async () => {
    await append('a', 'b', 'c');
    const lease = createRelayLease(database.pool, 10_000);
    await lease.hold();
    await markPublished(database.pool, (await read()).rows.slice(0, 2), lease);
    expect(await removePublished(database.pool, 60_000, 10)).toBe(0);
    expect(await removePublished(database.pool, -1000, 1)).toBe(1);
    expect(await removePublished(database.pool, -1000, 10)).toBe(1);
    expect(texts((await read()).rows)).toEqual(['c']);
  });
});

describe('relay lease', () => {
  it('has one holder; after its release, another holder gets it with a new epoch', async () => {
    const [one, two] = [createRelayLease(database.pool, 10_000), createRelayLease(database.pool, 10_000)];
    expect(await one.hold()).toBe(true);
    expect(await two.hold()).toBe(false);
    await one.release();
    expect(await two.hold()).toBe(true);
    expect(two.epoch()).toBe(one.epoch() + 1n);
    expect(await one.hold()).toBe(false);
  });

  it('keeps its epoch while the holder extends it', async () => {
    const lease = createRelayLease(database.pool, 10_000);
    await lease.hold();
    const epoch = lease.epoch();
    lease.forget();
    expect(await lease.hold()).toBe(true);
    expect(lease.epoch()).toBe(epoch);
  });

  it('rejects marks of a former holder that did not notice the loss of its lease', async () => {
    await append('a');
    const [deposed, next] = [createRelayLease(database.pool, 10_000), createRelayLease(database.pool, 10_000)];
    await deposed.hold();
    const { rows } = await read();
    await database.pool.query("UPDATE outbox_lease SET expires_at = now() - interval '1 s'");
    await next.hold();
    expect(await markPublished(database.pool, rows, deposed)).toBeUndefined();
    expect((await read()).rows).toHaveLength(1);
    expect(await markPublished(database.pool, rows, next)).toBeDefined();
    expect((await read()).rows).toEqual([]);
  });
});

describe('consumeOnce', () => {
  const count = async () =>
    (await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM effect')).rows[0]!.n;
  const take = (id: string, consumer = 'c') =>
    consumeOnce(database.pool, consumer, id, (tx) => tx.query('INSERT INTO effect VALUES ($1)', [id]));

  it('applies the effect once when the same event is delivered many times concurrently', async () => {
    const id = newOrderedId();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => take(id)));
    expect(outcomes.filter(({ consumed }) => consumed)).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  it('forgets the event when the effect fails, so that it can be delivered again', async () => {
    const id = newOrderedId();
    const failing = consumeOnce(database.pool, 'c', id, async (tx) => {
      await tx.query('INSERT INTO effect VALUES ($1)', [id]);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await count()).toBe(0);
    expect(await take(id)).toMatchObject({ consumed: true });
  });

  it("marks in the caller's transaction and is rolled back with it", async () => {
    const id = newOrderedId();
    const rolledBack = withTransaction(database.pool, async (tx) => {
      await consumeOnce(tx, 'c', id, async () => undefined);
      throw new Error('later failure');
    });
    await expect(rolledBack).rejects.toThrow('later failure');
    expect(await take(id)).toMatchObject({ consumed: true });
  });

  it('keeps consumers apart', async () => {
    const id = newOrderedId();
    expect(await take(id, 'one')).toMatchObject({ consumed: true });
    expect(await take(id, 'two')).toMatchObject({ consumed: true });
    expect(await take(id, 'one')).toEqual({ consumed: false });
  });

  it('returns the new ids of a batch', async () => {
    const [old, fresh] = [newOrderedId(), newOrderedId()];
    await take(old);
    const ids = await withTransaction(database.pool, (tx) => consumeFresh(tx, 'c', [old, fresh, fresh]));
    expect([...ids]).toEqual([fresh]);
  });

  it('purges old marks in bounded batches', async () => {
    for (let index = 0; index < 3; index++) await take(newOrderedId());
    expect(await purgeConsumedEvents(database.pool, 60_000)).toBe(0);
    expect(await purgeConsumedEvents(database.pool, -1000, 2)).toBe(2);
    expect(await purgeConsumedEvents(database.pool, -1000, 2)).toBe(1);
  });
});
