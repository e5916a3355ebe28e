import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool, emptyDatabase, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { newOrderedId, type Stoppable, stopAll } from '@tollgate/runtime';
import { readPayload, testLogger, until } from '../conformance/harness.js';
import type { EventRecord } from '../event.js';
import { appendEvents } from '../outbox.js';
import { createOutboxFloor } from '../outbox-floor.js';
import { createRelay } from '../relay.js';
import { OUTBOX_SQL } from '../tables.js';
import type { EventTransport } from '../transport.js';
import { createEmbeddedTransport, type EmbeddedTransportOptions } from './embedded-transport.js';
import { removeOldEvents } from './log-retention.js';
import { logNames } from './log-tables.js';

let database: TestDatabase;
let schema: string;
let started: Stoppable[];

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});

afterAll(() => database.drop());

beforeEach(() => {
  schema = `t_events_${randomBytes(5).toString('hex')}`;
  started = [];
});

afterEach(async () => {
  await stopAll(...started);
  await database.pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
});

async function transport(options: Partial<EmbeddedTransportOptions> = {}): Promise<EventTransport> {
  const base = { url: database.url, schema, logger: testLogger, pollMs: 50, spacingMs: 5 };
  const created = createEmbeddedTransport({ ...base, ...options });
  started.push(created);
  await created.start();
  return created;
}

function event(text: string): EventRecord {
  const base = { topic: 'topic', key: 'key', type: 'type', source: '/test', occurredAt: new Date() };
  return { ...base, id: newOrderedId(), payload: Buffer.from(text) };
}

async function collect(bus: EventTransport): Promise<string[]> {
  const seen: string[] = [];
  await bus.subscribe({
    group: 'group',
    topics: ['topic'],
    handler: async (received) => void seen.push(readPayload(received)),
  });
  return seen;
}

describe('embedded transport', () => {
  it('starts as six instances at once on an empty database and delivers all their events', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => transport()));
    await Promise.all(all.map((bus, index) => bus.publish([event(String(index))])));
    const seen = await collect(all[0]!);
    await until('all arrived', () => seen.length === 6);
  });

  it("resumes from the stored position when the readers' connection is cut", async () => {
    const bus = await transport();
    const seen = await collect(bus);
    await bus.publish([event('before')]);
    await until('the first arrived', () => seen.length === 1);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${schema} consumer'`,
    );
    await bus.publish([event('after')]);
    await until('the second arrived', () => seen.includes('after'));
    expect([...new Set(seen)]).toEqual(['before', 'after']);
  });

  it('lets another process take over at once when the connection of the first is cut', async () => {
    const [one, two] = [await transport({ pollMs: 3_600_000 }), await transport()];
    let letGo: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let reached = 0;
    const handler = async () => {
      reached += 1;
      await stuck;
    };
    await one.subscribe({ group: 'group', topics: ['topic'], handler });
    await one.publish([event('handled by both')]);
    await until('the first process works on it', () => reached === 1);
    const seen = await collect(two);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
       WHERE application_name = '${schema} consumer' AND locktype = 'advisory'`,
    );
    await until('the second process got it', () => seen.length === 1);
    letGo();
    await two.publish([event('after')]);
    await until('the second process to continue', () => seen.length === 2);
    expect(reached).toBe(1);
  });

  it('gives each event to one process of a group, as long as none fails', async () => {
    const [one, two] = [await transport(), await transport()];
    const [first, second] = [await collect(one), await collect(two)];
    for (let index = 0; index < 20; index++) await one.publish([event(String(index))]);
    await until('all arrived', () => new Set([...first, ...second]).size === 20);
    expect(first.length + second.length).toBe(20);
  });

  it('does not skip an event that another writer commits late, after drawing an earlier position', async () => {
    const names = logNames(schema);
    const bus = await transport();
    const seen = await collect(bus);
    await database.pool.query(`DROP TABLE IF EXISTS outbox, outbox_lease; ${OUTBOX_SQL}`);
    const slow = await database.pool.connect();
    await slow.query(`BEGIN; SELECT pg_advisory_xact_lock(${names.writerLock})`);
    await slow.query(
      `INSERT INTO ${names.log} (topic, id, source, key, type, payload, occurred_at)
       VALUES ('topic', gen_random_uuid(), '/slow', 'key', 'type', 'slow', now())`,
    );
    await appendEvents(database.pool, [event('fast')]);
    const relay = createRelay({
      pool: database.pool,
      schema: database.schema,
      source: '/fast',
      transport: bus,
      logger: testLogger,
    });
    started.push(relay);
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await until('the relay waits, or has not', async () => {
      return seen.length > 0 || (await database.pool.query(waiting)).rows.length > 0;
    });
    await slow.query('COMMIT');
    slow.release();
    await until('both arrived', () => seen.length === 2);
    expect(seen).toEqual(['slow', 'fast']);
  });

  it('refuses a second subscription of the same group to the same topic', async () => {
    const bus = await transport();
    await collect(bus);
    await expect(collect(bus)).rejects.toThrow(/already has a subscription of group to topic/);
  });

  it('moves rows by itself only from outboxes of its own database', async () => {
    const bus = await transport();
    const elsewhere = await emptyDatabase('elsewhere');
    const pool = createPool({ url: elsewhere.url, schema: 'service', max: 1 });
    const other = createEmbeddedTransport({ url: elsewhere.url, schema, logger: testLogger });
    try {
      const outbox = { pool, schema: 'service', source: '/test', floor: createOutboxFloor() };
      expect(await bus.openMover!(outbox)).toBeUndefined();
      await other.start(); // a log of the same name in the other database is still not this one
      expect(await bus.openMover!(outbox)).toBeUndefined();
      expect(await other.openMover!(outbox)).toBeInstanceOf(Function);
    } finally {
      await other.stop();
      await pool.end();
      await elsewhere.drop();
    }
  });

  it('deletes old events that all groups have read, and unread ones only after a longer time', async () => {
    const names = logNames(schema);
    const bus = await transport();
    await bus.publish(['1', '2', '3'].map(event));
    const { rows } = await database.pool.query<{ position: bigint }>(
      `SELECT position FROM ${names.log} ORDER BY position`,
    );
    const offsets = `INSERT INTO ${names.offsets} (consumer_group, topic, position) VALUES ('fast', 'topic', $1), ('slow', 'topic', $2)`;
    await database.pool.query(offsets, [rows[2]!.position, rows[0]!.position]);
    expect(await removeOldEvents(database.pool, names, 60_000, 10)).toBe(0);
    await database.pool.query(`UPDATE ${names.log} SET published_at = now() - interval '2 minutes'`);
    expect(await removeOldEvents(database.pool, names, 60_000, 10)).toBe(1);
    await database.pool.query(`UPDATE ${names.log} SET published_at = now() - interval '8 minutes'`);
    expect(await removeOldEvents(database.pool, names, 60_000, 10)).toBe(2);
  });
});
