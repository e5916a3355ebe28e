import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import {
  createPool,
  type MovableLink,
  openMovableLink,
  type Pool,
  QUEUE_SESSION_SETTINGS,
  type TestDatabase,
  testDatabase,
} from '@tollgate/postgres';
import { describeLeasePool, type LeasePoolUser } from '@tollgate/testkit/describe-lease-pool';
import { type LeasedQueue, leasedQueues } from '../../testing/leased-queues.js';

/** An address at which nothing listens. */
const NOWHERE = 'postgresql://127.0.0.1:1/';
const POLL_MS = 50;

let database: TestDatabase;
const links: MovableLink[] = [];
const pools: Pool[] = [];

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  for (const link of links) await link.close();
  await database.drop();
});

function createUser({ table, dueAt, unfinished, insert, firstPauseMs, open }: LeasedQueue): LeasePoolUser {
  const read = async (expression: string, where = 'true'): Promise<number | undefined> => {
    const text = `SELECT (${expression})::float AS value FROM ${table} WHERE ${unfinished} AND ${where}`;
    return (await database.pool.query<{ value: number }>(text)).rows[0]?.value;
  };
  return {
    firstPauseMs,
    failures: 5,
    reset: () => database.pool.query(`DELETE FROM ${table}`).then(() => undefined),
    async enqueue(count, caller) {
      if (caller !== undefined) await database.pool.query(insert, [caller, count]);
      else for (let i = 0; i < count; i++) await database.pool.query(insert, [randomUUID(), 1]);
    },
    async open({ run, ...options }) {
      const link = await openMovableLink(database.url);
      links.push(link);
      const settings = QUEUE_SESSION_SETTINGS;
      const pool = createPool({ url: link.url, schema: database.schema, max: 4, settings });
      pools.push(pool);
      const leases = open(pool, {
        ...options,
        pollMs: POLL_MS,
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
    countLeased: async () => (await read('count(lease_until)')) ?? 0,
    countUnfinished: async () => (await read('count(*)')) ?? 0,
    readPauseMs: () => read(`extract(epoch FROM ${dueAt} - now()) * 1000`, 'lease_until IS NULL'),
    async makeDue() {
      await database.pool.query(`UPDATE ${table} SET ${dueAt} = now() WHERE lease_until IS NULL`);
    },
    readLeaseEndMs: async () => (await read('extract(epoch FROM min(lease_until)) * 1000')) ?? 0,
  };
}

for (const queue of leasedQueues) describeLeasePool(queue.name, createUser(queue));
