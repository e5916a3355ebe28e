// Plans of the statements of the delivery queues, in tables of 20,000 rows, half of them leased.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { explainStatement, QUEUE_SESSION_SETTINGS, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { findExpiredLanes, postponeExpiry } from './gen/delivery-queues.js';
import { leaseQueueHeads } from './gen/lease-queue-heads.js';

const WEBHOOK = randomUUID();
const PROJECT = randomUUID();

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../prisma/migrations', import.meta.url),
    settings: QUEUE_SESSION_SETTINGS,
  });
  await database.pool.query(
    `INSERT INTO webhooks (id, project_id, endpoint_url, event_types, enabled, signature_form, retry_schedule, secret_key_id, secret_sealed)
       VALUES ('${WEBHOOK}', '${PROJECT}', 'https://example.com', '{}', true, 'standard', 'fast', 'k', '')`,
  );
  await database.pool.query(
    `INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at)
       SELECT gen_random_uuid(), '${PROJECT}', 'run.completed', '', now() FROM generate_series(1, 20000)`,
  );
  await database.pool.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status)
       SELECT gen_random_uuid(), '${WEBHOOK}', id, id::text, 'pending' FROM webhook_events`,
  );
  await database.pool.query(
    `INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at, leased_until)
       SELECT webhook_id, lane_key, id, now(), CASE WHEN seq % 2 = 0 THEN now() + interval '1 h' END FROM webhook_deliveries`,
  );
  await database.pool.query('ANALYZE');
});
afterAll(() => database.drop());

const explain = (run: Parameters<typeof explainStatement>[1]) => explainStatement(database.pool, run);

it('takes the heads of an endpoint by index, in the order in which they are due', async () => {
  const input = { quotas: [{ webhookId: WEBHOOK, quota: 5 }], fastLeaseMs: 1, standardLeaseMs: 1 };
  const read = await explain((db) => leaseQueueHeads(db, input));
  expect(read.indexes).toContain('webhook_lanes_free_idx');
  expect(read.sequentialScans).toEqual([]);
  expect(read.rowsRead).toBeLessThan(200);
});

it('finds expired leases and their deliveries by index', async () => {
  const read = await explain((db) => findExpiredLanes(db, { limit: 500 }));
  expect(read.indexes).toContain('webhook_lanes_leased_idx');
  expect(read.sequentialScans).toEqual([]);
});

it('extends an expired lease by the key of its queue', async () => {
  const leases = [{ webhookId: WEBHOOK, orderingKey: 'none', epoch: 1 }];
  const read = await explain((db) => postponeExpiry(db, { leases, delayMs: 1 }));
  expect(read.indexes).toEqual(['webhook_lanes_pkey']);
  expect(read.rowsRead).toBeLessThan(10);
});
