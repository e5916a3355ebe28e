import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { createRelay } from './relay.js';
import { createRelayLease } from './relay-lease.js';
import { OUTBOX_SQL } from './tables.js';
import type { EventTransport } from './transport.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  await database.pool.query(OUTBOX_SQL);
});
afterAll(() => database.drop());

it('releases its lease when it stops, so that another replica need not wait for its end', async () => {
  const { pool, schema } = database;
  const transport = { publish: async () => undefined } as Partial<EventTransport> as EventTransport;
  const relay = createRelay({ pool, schema, source: '/test', transport, logger: silentLogger, leaseMs: 600_000 });
  await waitUntil(async () => (await pool.query('SELECT 1 FROM outbox_lease')).rowCount === 1, { what: 'the lease' });
  await relay.stop();
  expect(await createRelayLease(pool, 600_000).hold()).toBe(true);
});
