import { describe, expect, it } from '@jest/globals';
import { withTransaction } from '@tollgate/postgres';
import { appendEvents } from '../outbox.js';
import { type Collector, type Harness, readPayload, until } from './harness.js';
import { plain } from './outbox-cases.js';

const keys = ['k0', 'k1', 'k2', 'k3', 'k4'];

/** Cases about the order per key. */
export function orderCases(harness: () => Harness): void {
  describe('order', () => {
    it('keeps the commit order of each key when transactions of many keys interleave', async () => {
      const { relay, transport, collect } = harness();
      const bus = await transport();
      const consumer = await collect(bus, 'reader', { concurrency: 3 });
      const running = relay(bus, { batchMax: 7 });
      const committed = await writeConcurrently(harness(), 20);
      await running.drain();
      await until('all arrived', () => consumer.firstSeen().length >= committed.length);
      expectOrderPerKey(consumer);
    });

    it('holds when two relays publish the same outbox at once', async () => {
      const { relay, transport, collect } = harness();
      const [one, two] = [await transport(), await transport()];
      const consumer = await collect(one, 'reader');
      const running = [relay(one, { batchMax: 5 }), relay(two, { batchMax: 5 })];
      const committed = await writeConcurrently(harness(), 20);
      await running[0]!.drain();
      await until('all arrived', () => consumer.firstSeen().length >= committed.length);
      expectOrderPerKey(consumer);
    });

    it('holds while the lease changes hands again and again', async () => {
      const { relay, transport, collect } = harness();
      const [one, two] = [await transport(), await transport()];
      const consumer = await collect(one, 'reader');
      const options = { batchMax: 3, leaseMs: 60 };
      const running = [relay(plain(one), options), relay(plain(two), options)];
      const committed = await writeConcurrently(harness(), 20);
      await running[0]!.drain();
      await until('all arrived', () => consumer.firstSeen().length >= committed.length);
      expectOrderPerKey(consumer);
    });
  });
}

/**
 * Several writers per key. Each takes the key's row lock, draws the key's next number and appends, so a key's numbers
 * are its commit order.
 */
async function writeConcurrently({ database, event }: Harness, perKey: number): Promise<string[]> {
  const { pool } = database;
  await pool.query('CREATE TABLE aggregate (key text PRIMARY KEY, version int NOT NULL)');
  await pool.query('INSERT INTO aggregate SELECT unnest($1::text[]), 0', [keys]);
  const written: string[] = [];
  const writeOne = (key: string) =>
    withTransaction(pool, async (tx) => {
      const sql = 'UPDATE aggregate SET version = version + 1 WHERE key = $1 RETURNING version';
      const { rows } = await tx.query<{ version: number }>(sql, [key]);
      const payload = `${key}:${rows[0]!.version}`;
      await appendEvents(tx, [event(key, payload)]);
      written.push(payload);
    });
  for (let round = 0; round < perKey / 2; round++) {
    await Promise.all(keys.flatMap((key) => [writeOne(key), writeOne(key)]));
  }
  return written;
}

/** First arrivals only: a repeat of an older event is allowed and harmless. */
function expectOrderPerKey(consumer: Collector): void {
  const firstSeen = consumer.firstSeen();
  for (const key of keys) {
    const versions = firstSeen.filter((text) => text.startsWith(`${key}:`)).map((text) => Number(text.split(':')[1]));
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  }
  expect(consumer.events.map(readPayload).length).toBeGreaterThan(0);
}
