import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import {
  createPool,
  openMovableLink,
  QUEUE_SESSION_SETTINGS,
  type TestDatabase,
  testDatabase,
} from '@tollgate/postgres';
import { describeLeasePool, type LeasePoolUser } from '@tollgate/testkit/describe-lease-pool';
import { leasedDeliveries } from '../testing/leased-deliveries.js';

/** An address at which nothing listens. */
const NOWHERE = 'postgresql://127.0.0.1:1/';

let database: TestDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const migrations = new URL('../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await database.drop();
});

const read = async (expression: string, where = 'true'): Promise<number | undefined> => {
  const text = `SELECT (${expression})::float AS value FROM webhook_lanes WHERE ${where}`;
  return (await database.pool.query<{ value: number }>(text)).rows[0]?.value;
};

/** Leases of deliveries are not extended: they outlive the attempt. */
const user: LeasePoolUser = {
  firstPauseMs: leasedDeliveries.firstPauseMs,
  failures: 4,
  async reset() {
    await database.pool.query('TRUNCATE webhooks, webhook_events, webhook_deliveries, webhook_lanes CASCADE');
  },
  async enqueue(count, caller) {
    if (caller !== undefined) await database.pool.query(leasedDeliveries.insert, [caller, count]);
    else for (let i = 0; i < count; i++) await database.pool.query(leasedDeliveries.insert, [randomUUID(), 1]);
  },
  async open({ run, ...options }) {
    const link = await openMovableLink(database.url);
    const pool = createPool({ url: link.url, schema: database.schema, max: 4, settings: QUEUE_SESSION_SETTINGS });
    stops.push(() => pool.end().then(() => link.close()));
    const leases = leasedDeliveries.open(pool, {
      ...options,
      pollMs: 50,
      async run(signal, caller) {
        if ((await run(signal, caller)) === 'failed') throw new Error('failed');
      },
    });
    return {
      start: () => leases.start(),
      wake: () => leases.wake(),
      stop: () => leases.stop(),
      cut() {
        link.moveTo(NOWHERE);
        link.cut();
      },
    };
  },
  countLeased: async () => (await read('count(leased_until)')) ?? 0,
  countUnfinished: async () => (await read('count(*)')) ?? 0,
  readPauseMs: () => read('extract(epoch FROM due_at - now()) * 1000', 'leased_until IS NULL'),
  async makeDue() {
    await database.pool.query('UPDATE webhook_lanes SET due_at = now() WHERE leased_until IS NULL');
  },
};

describeLeasePool('deliveries', user);
