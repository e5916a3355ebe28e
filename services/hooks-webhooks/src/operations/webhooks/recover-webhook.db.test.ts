import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Harness, startHarness } from '../../testing/harness.js';
import { advanceRecoveries, readRecovery, recoverWebhook } from './recover-webhook.js';
import { updateWebhook } from './update-webhook.js';

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
