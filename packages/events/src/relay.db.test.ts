import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { newEvent } from './event.js';
import { eventTypes } from './event-types.js';
import { appendEvents } from './outbox.js';
import { createRelay, type RelayOptions } from './relay.js';
import { createRelayLease } from './relay-lease.js';
import { OUTBOX_SQL } from './tables.js';
import type { EventTransport } from './transport.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  await database.pool.query(OUTBOX_SQL);
});
afterAll(() => database.drop());

it('publishes the companion of an event after it, and none for an event without one', async () => {
  const { pool, schema } = database;
  const published: string[] = [];
  const transport = {
    publish: async (events) => void published.push(...events.map(({ key, topic }) => `${key} ${topic}`)),
  } as Partial<EventTransport> as EventTransport;
  const relay = createRelay({
    pool,
    schema,
    source: '/test',
    transport,
    logger: silentLogger,
    companion: (event) => (event.key === 'a' ? { ...event, topic: 'companions' } : undefined),
  });
  const { topic } = eventTypes.usageRecorded;
  await appendEvents(
    pool,
    ['a', 'b'].map((key) => newEvent(eventTypes.usageRecorded, { key, message: {} })),
  );
  await relay.drain();
  await relay.stop();
  expect(published).toEqual([`a ${topic}`, 'a companions', `b ${topic}`]);
});

it('releases its lease when it stops, so that another replica need not wait for its end', async () => {
  const { pool, schema } = database;
  const transport = { publish: async () => undefined } as Partial<EventTransport> as EventTransport;
  const relay = createRelay({ pool, schema, source: '/test', transport, logger: silentLogger, leaseMs: 600_000 });
  await waitUntil(async () => (await pool.query('SELECT 1 FROM outbox_lease')).rowCount === 1, { what: 'the lease' });
  await relay.stop();
  expect(await createRelayLease(pool, 600_000).hold()).toBe(true);
});

describe('the pause between passes', () => {
  /** Starts a relay whose passes move this many rows each, and waits for its first pass. */
  async function startRelay(rows: number, options: Partial<RelayOptions> = {}) {
    let passes = 0;
    const openMover = async () => async () => {
      await setImmediate();
      passes += 1;
      return rows;
    };
    const relay = createRelay({
      pool: database.pool,
      schema: database.schema,
      source: '/test',
      transport: { openMover } as Partial<EventTransport> as EventTransport,
      logger: silentLogger,
      pollMs: 3_600_000,
      spacingMs: 0,
      busySpacingMs: 3_600_000,
      ...options,
    });
    const reached = (count: number) => waitUntil(() => passes >= count, { what: `pass ${count}` });
    await reached(1);
    return { relay, reached, count: () => passes };
  }

  it('does not delay an event that comes alone', async () => {
    const { relay, reached } = await startRelay(9);
    relay.wake();
    await reached(2);
    await relay.stop();
  });

  it('collects events for a while after a pass that moved many, and ends with the relay', async () => {
    const busy = await startRelay(10);
    busy.relay.wake();
    const quiet = await startRelay(9);
    quiet.relay.wake();
    await quiet.reached(2);
    expect(busy.count()).toBe(1);
    await Promise.all([busy.relay.stop(), quiet.relay.stop()]);
  });

  it('continues at once after a full batch', async () => {
    const { relay, reached } = await startRelay(10, { batchMax: 10 });
    await reached(3);
    await relay.stop();
  });
});
