// Tests that a claim of deliveries reads a bounded number of pages and rows, however much waits, and leaves room for others.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FIRST_ID, type Tx, withTransaction } from '@tollgate/postgres';
import { claimDeliveries } from '../operations/webhooks/deliver-events.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { lockEndpoints, readDemands } from './delivery-queues.js';

/** Pages, and entries of indexes and tables. */
const READ_MAX = 12_000;
const FREE = { total: 64, failing: 32 };
const PER_ENDPOINT = 4;

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());
beforeEach(() => h.database.pool.query('TRUNCATE webhooks, webhook_events, webhook_deliveries, webhook_lanes CASCADE'));

interface Backlog {
  endpoints: number;
  /** Of each endpoint, each with one delivery. */
  queues: number;
  dueAt?: string;
  enabled?: boolean;
}

/** Stores endpoints with deliveries that wait; returns the id of the first endpoint. */
async function add({ endpoints, queues, dueAt = "now() - interval '1 s'", enabled = true }: Backlog): Promise<string> {
  const { id } = await h.createWebhook('http://127.0.0.1:9/');
  const { pool } = h.database;
  await pool.query(
    `INSERT INTO webhooks (id, project_id, endpoint_url, event_types, enabled, signature_form, retry_schedule, secret_key_id, secret_sealed)
     SELECT gen_random_uuid(), project_id, endpoint_url, event_types, true, signature_form, retry_schedule, secret_key_id, secret_sealed
     FROM webhooks, generate_series(2, $2::int) WHERE id = $1`,
    [id, endpoints],
  );
  await pool.query('UPDATE webhooks SET enabled = $1', [enabled]);
  await pool.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at)
       SELECT gen_random_uuid(), $1, 'request.completed', '', now() FROM generate_series(1, $2::int) RETURNING id
     ), queued AS (
       INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status)
       SELECT gen_random_uuid(), w.id, event.id, event.id::text, 'pending' FROM webhooks w, event RETURNING id, webhook_id, lane_key)
     INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at) SELECT webhook_id, lane_key, id, ${dueAt} FROM queued`,
    [h.projectId, queues],
  );
  for (const table of ['webhooks', 'webhook_deliveries', 'webhook_lanes'])
    await pool.query(`VACUUM (ANALYZE) ${table}`);
  return id;
}

/** Returns the pages and the entries that `work` reads, the larger number, in a transaction that is not kept. */
async function countRead(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  const read = async (tx: Tx) => {
    const text = `SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0)::int AS pages,
                         coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::int AS entries
                  FROM pg_class WHERE relnamespace = $1::regnamespace AND relname LIKE 'webhook%'`;
    return (await tx.query<{ pages: number; entries: number }>(text, [h.database.schema])).rows[0]!;
  };
  return withTransaction(h.ctx.queuePool, async (tx) => {
    const before = await read(tx);
    await work(tx);
    const after = await read(tx);
    return Math.max(after.pages - before.pages, after.entries - before.entries);
  });
}

const visit = async (tx: Tx) => {
  const { keys } = await lockEndpoints(tx, FIRST_ID, FREE, PER_ENDPOINT);
  return (await readDemands(tx, keys, PER_ENDPOINT)).demands;
};

describe('a claim of deliveries', () => {
  it.each([
    ['one endpoint', { endpoints: 1, queues: 20_000 }, 1],
    ['many endpoints', { endpoints: 1_000, queues: 20 }, 64],
    ['disabled endpoints', { endpoints: 1_000, queues: 20, enabled: false }, 0],
    ['endpoints that wait for retries', { endpoints: 1_000, queues: 20, dueAt: "now() + interval '1 h'" }, 0],
  ])('reads a bounded part of 20,000 queues of %s', async (_whose, backlog, demanding) => {
    await add(backlog);
    let demands: unknown[] = [];
    const count = await countRead(async (tx) => {
      demands = await visit(tx);
    });
    expect(demands).toHaveLength(demanding);
    expect(count).toBeLessThan(READ_MAX);
  });

  it('serves the first delivery of an endpoint before the backlog of another one', async () => {
    const busy = await add({ endpoints: 2, queues: 5_000 });
    await h.database.pool.query(
      `DELETE FROM webhook_lanes WHERE webhook_id <> $1 AND lane_key > (SELECT min(lane_key) FROM webhook_lanes)`,
      [busy],
    );
    const { deliveries } = await claimDeliveries(h.ctx, FIRST_ID, { total: 2, failing: 2 });
    expect(new Set(deliveries.map(({ lease }) => lease.webhookId)).size).toBe(2);
  });

  it('leaves an endpoint to the process that claims its deliveries, and serves the others', async () => {
    await add({ endpoints: 3, queues: 10 });
    await withTransaction(h.ctx.queuePool, async (tx) => {
      const { keys } = await lockEndpoints(tx, FIRST_ID, { total: 1, failing: 1 }, PER_ENDPOINT);
      expect(keys).toHaveLength(1);
      const { deliveries, hasSkipped } = await claimDeliveries(h.ctx, FIRST_ID, FREE);
      expect(hasSkipped).toBe(true);
      expect(new Set(deliveries.map(({ lease }) => lease.webhookId))).toEqual(
        new Set(deliveries.map(({ lease }) => lease.webhookId).filter((id) => id !== keys[0])),
      );
      expect(deliveries.length).toBeGreaterThan(0);
    });
    expect((await claimDeliveries(h.ctx, FIRST_ID, FREE)).hasSkipped).toBe(false);
  });
});
