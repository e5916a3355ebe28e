import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { appendEvents, eventTypes, newEvent } from '@tollgate/events';
import { createPool, emptyDatabase, migrate, type TestDatabase, withTransaction } from '@tollgate/postgres';
import { queue, readQueued } from '../testing/background-client.js';
import {
  CUSTOMER,
  createPeers,
  customerToken,
  OTHER_CUSTOMER,
  type Peers,
  secretKey,
  type TestEngine,
} from '../testing/engine-fixture.js';
import { gate, until } from '../testing/run-client.js';

let database: Omit<TestDatabase, 'analyze' | 'countLockWaits'>;
let peers: Peers;

/** A database of its own: all engines on it are consumers of one group. */
beforeAll(async () => {
  const { url, drop } = await emptyDatabase(import.meta.url);
  const schema = 'workflow_engine';
  await migrate({ url, schema, directory: new URL('../../prisma/migrations', import.meta.url) });
  const pool = createPool({ url, schema, max: 5 });
  database = {
    url,
    schema,
    pool,
    async drop() {
      await pool.end();
      await drop();
    },
  };
  peers = createPeers(database);
});
afterEach(() => peers.stopAll());
afterAll(() => database.drop());

async function admitAndQueue(engine: TestEngine, prompt: string, customerId = CUSTOMER): Promise<string> {
  const holdId = randomUUID();
  peers.billing.open.add(holdId);
  return queue(engine, prompt, { holdId, principal: customerToken(customerId) });
}

it('stops and deletes the background responses of a deleted customer', async () => {
  const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };
  const engine = await peers.engine({ work, sandboxProvider: true });
  peers.inference.reply = () => ({ gateAfterFirst: gate().promise });
  const dispatched = await admitAndQueue(engine, 'a longer request');
  await until(() => peers.inference.calls.length === 1);
  const waiting = await admitAndQueue(engine, 'a request');
  await database.pool.query(`UPDATE background_responses SET due_at = now() + interval '1 h' WHERE NOT is_dispatched`);
  const other = await admitAndQueue(engine, 'a request', OTHER_CUSTOMER);
  const deleted = newEvent(eventTypes.customerDeleted, { key: CUSTOMER, message: { customerId: CUSTOMER } });
  await withTransaction(database.pool, (tx) => appendEvents(tx, [deleted]));
  const ids = async () => (await database.pool.query('SELECT id FROM background_responses')).rows.map(({ id }) => id);
  await until(async () => (await ids()).length === 1, 20_000);
  expect(await ids()).toEqual([other]);
  await until(() => peers.inference.calls.every(({ holdId, isAborted }) => isAborted || holdId !== dispatched));
  await until(() => peers.inference.discarded.includes(dispatched));
  expect(peers.inference.discarded).not.toContain(other);
  expect(await readQueued(engine, other, secretKey())).toBeDefined();
  if (!peers.inference.calls.some(({ holdId }) => holdId === waiting))
    expect(peers.billing.released.has(waiting)).toBe(true);
});
