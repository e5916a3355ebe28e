import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listRunningRecoveries } from '../../store/recoveries.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { advanceRecoveries, readRecovery, recoverWebhook } from './recover-webhook.js';
import { updateWebhook } from './webhooks.js';

const LONG_AGO = new Date('2026-01-01T00:00:00.000Z');

let harness: Harness;
let webhookId: string;

beforeAll(async () => {
  harness = await startHarness(import.meta.url);
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.database.pool.query(`UPDATE webhook_recoveries SET status = 'canceled' WHERE status = 'running'`);
  await harness.database.pool.query('UPDATE webhooks SET enabled = false');
  webhookId = (await harness.createWebhook('https://example.com/hook')).id;
});

const recover = (since = LONG_AGO) => recoverWebhook(harness.ctx, harness.projectId, { webhookId, since });
const read = (recoveryId: string, projectId = harness.projectId) =>
  readRecovery(harness.ctx, projectId, { webhookId, recoveryId });

/** Queues deliveries and ends them without an attempt. */
async function end(count: number, status = 'failed', values = ''): Promise<void> {
  await harness.emit(...Array.from({ length: count }, () => ({})));
  await harness.database.pool.query(
    `WITH ended AS (
       UPDATE webhook_deliveries SET status = $2, attempt_count = 5, updated_at = clock_timestamp() ${values}
       WHERE webhook_id = $1 AND status = 'pending' RETURNING id)
     DELETE FROM webhook_lanes WHERE delivery_id IN (SELECT id FROM ended)`,
    [webhookId, status],
  );
}

async function count(table: string, condition = 'true'): Promise<number> {
  const sql = `SELECT count(*)::int AS n FROM ${table} WHERE webhook_id = $1 AND ${condition}`;
  return (await harness.database.pool.query<{ n: number }>(sql, [webhookId])).rows[0]?.n ?? -1;
}

async function advanceAll(): Promise<void> {
  while (await advanceRecoveries(harness.ctx));
}

it('queues what failed since a time again, and nothing else', async () => {
  await end(2, 'failed', `, created_at = '2025-12-31'`);
  await end(3, 'delivered');
  await end(1, 'failed', ', is_test = true');
  await end(4);
  const { status, requeued, remaining } = await recover();
  expect([status, requeued, remaining]).toEqual(['running', 4, 0]);
  expect(await count('webhook_deliveries', `status = 'pending' AND attempt_count = 0 AND round = 1`)).toBe(4);
  expect(await count('webhook_lanes')).toBe(4);
  expect(await count('webhook_deliveries', `status = 'failed'`)).toBe(3);
});

it('queues events that occurred while the webhook was disabled', async () => {
  const { pool } = harness.database;
  await pool.query('UPDATE webhooks SET enabled = false WHERE id = $1', [webhookId]);
  const [event] = await harness.emit({});
  expect(await harness.deliveries(webhookId)).toMatchObject([
    { eventId: event?.id, status: 'failed', attemptCount: 0, error: 'not sent: the webhook is disabled' },
  ]);
  expect(await count('webhook_lanes')).toBe(0);
  await pool.query('UPDATE webhooks SET enabled = true WHERE id = $1', [webhookId]);
  expect(await recover()).toMatchObject({ requeued: 1 });
  expect(await count('webhook_lanes')).toBe(1);
});

it('delivers with the same ids and bytes', async () => {
  const receiver = await harness.startReceiver();
  webhookId = (await harness.createWebhook(receiver.url)).id;
  await end(3);
  const before = await harness.deliveries(webhookId);
  const worker = harness.startWorker();
  await recover();
  const after = await harness.waitForStatus(webhookId, 'delivered', 3);
  await worker.stop();
  expect(after.map(({ eventId }) => eventId)).toEqual(before.map(({ eventId }) => eventId));
  expect(receiver.deliveries.map(({ rawBody }) => rawBody.toString()).sort()).toEqual(
    before.map(({ event }) => event.payload.toString()).sort(),
  );
});

describe('many deliveries', () => {
  it('queues them in batches, once each, on several replicas', async () => {
    await end(1_200);
    const started = await recover();
    expect([started.requeued, started.remaining]).toEqual([500, 700]);
    await Promise.all([advanceAll(), advanceAll(), advanceAll()]);
    await advanceAll();
    expect(await read(started.id)).toMatchObject({ status: 'completed', requeued: 1_200, remaining: 0 });
    expect(await count('webhook_lanes')).toBe(1_200);
    expect(await count('webhook_deliveries', 'round = 1')).toBe(1_200);
  });

  it('continues after the last batch instead of at the start', async () => {
    await end(1_200);
    const { id } = await recover();
    const { rows } = await harness.database.pool.query<{ id: string }>(
      `WITH first AS (
         UPDATE webhook_deliveries SET status = 'failed', updated_at = '2026-01-01' WHERE id = (
           SELECT id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY created_at, id LIMIT 1) RETURNING id)
       DELETE FROM webhook_lanes WHERE delivery_id = (SELECT id FROM first) RETURNING delivery_id AS id`,
      [webhookId],
    );
    await advanceRecoveries(harness.ctx);
    expect((await read(id)).requeued).toBe(1_000);
    expect(await count('webhook_deliveries', `id = '${rows[0]?.id}' AND status = 'failed'`)).toBe(1);
    await advanceAll();
    await advanceAll();
    expect(await read(id)).toMatchObject({ status: 'completed', requeued: 1_201 });
  });

  it('comes back to deliveries that were locked', async () => {
    await end(3);
    const [first] = await harness.deliveries(webhookId);
    const locker = await harness.database.pool.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT 1 FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [first?.id]);
    const { id, requeued } = await recover();
    await advanceAll();
    expect([requeued, (await read(id)).status]).toEqual([2, 'running']);
    await locker.query('ROLLBACK');
    locker.release();
    await advanceAll();
    expect(await read(id)).toMatchObject({ status: 'completed', requeued: 3 });
  });

  it('leaves them failed when the webhook is disabled', async () => {
    await end(600);
    const { id } = await recover();
    await updateWebhook(harness.ctx, harness.projectId, webhookId, {
      endpointUrl: 'https://example.com/hook',
      events: ['request.completed'],
      enabled: false,
      rotateSecret: false,
    });
    await advanceAll();
    expect(await read(id)).toMatchObject({ status: 'canceled', requeued: 500 });
    expect(await count('webhook_deliveries', `status = 'failed'`)).toBe(600);
  });
});

it('serves a project with one recovery before the many of another one', async () => {
  const { pool } = harness.database;
  await pool.query(
    `WITH webhook AS (
       INSERT INTO webhooks (id, project_id, endpoint_url, event_types, enabled, signature_form, retry_schedule, secret_key_id, secret_sealed)
       SELECT gen_random_uuid(), project_id, endpoint_url, event_types, true, signature_form, retry_schedule, secret_key_id, secret_sealed
       FROM webhooks, generate_series(1, 60) WHERE id = $1 RETURNING id)
     INSERT INTO webhook_recoveries (id, webhook_id, since, started_at)
     SELECT gen_random_uuid(), id, now(), now() - interval '1 hour' FROM webhook`,
    [webhookId],
  );
  const other = randomUUID();
  await pool.query('UPDATE webhooks SET project_id = $2 WHERE id = $1', [webhookId, other]);
  const { rows } = await pool.query<{ id: string }>(
    'INSERT INTO webhook_recoveries (id, webhook_id, since) VALUES (gen_random_uuid(), $1, now()) RETURNING id',
    [webhookId],
  );
  const listed = await listRunningRecoveries(pool, 50);
  expect([listed.length, listed.slice(0, 2).includes(rows[0]?.id ?? '')]).toEqual([50, true]);
  await pool.query('UPDATE webhook_recoveries SET advanced_at = now() WHERE id = ANY ($1::uuid[])', [listed]);
  const next = await listRunningRecoveries(pool, 50);
  expect(next.filter((id) => !listed.includes(id))).toHaveLength(11);
});

describe('a repeated call', () => {
  it('returns the running recovery', async () => {
    await end(2);
    const [first, ...others] = await Promise.all([recover(), recover(), recover()]);
    expect(new Set(others.map(({ id }) => id))).toEqual(new Set([first?.id]));
    expect(await count('webhook_recoveries')).toBe(1);
    expect(await count('webhook_deliveries', 'round = 1')).toBe(2);
  });

  it('leaves alone what failed again after the start, and recovers it after the end', async () => {
    await end(1);
    const { id } = await recover();
    await end(0);
    await recover();
    await advanceAll();
    expect(await read(id)).toMatchObject({ status: 'completed', requeued: 1 });
    expect(await count('webhook_deliveries', `status = 'failed' AND round = 1`)).toBe(1);
    const next = await recover();
    expect([next.id === id, next.requeued]).toEqual([false, 1]);
  });

  it('rejects another time while one runs', async () => {
    await end(1);
    await recover();
    await expect(recover(new Date(LONG_AGO.getTime() + 1))).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

it('refuses a disabled webhook, a time in the future, and foreign ids', async () => {
  const { id } = await recover();
  await expect(read(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(read('x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(read(id, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(recover(new Date(Date.now() + 60_000))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await harness.database.pool.query('UPDATE webhooks SET enabled = false WHERE id = $1', [webhookId]);
  await expect(recover()).rejects.toMatchObject({ code: 'CONFLICT' });
});
