import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { recoverWebhook } from '../operations/webhooks/recover-webhook.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { CUSTOMER_TABLES } from './customer-export.js';
import { requeueFinished } from './deliveries.js';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness(import.meta.url);
});
afterAll(() => harness.stop());

/** Returns the ids of the rows that an export of the customer has, by table. */
async function exportIds(customerId: string): Promise<Record<string, unknown[]>> {
  const { pool } = harness.database;
  const ids: Record<string, unknown[]> = {};
  for (const { table, sql } of CUSTOMER_TABLES)
    ids[table] = (await pool.query(sql, [customerId])).rows.map(({ id }: { id: string }) => id);
  return ids;
}

it.each(['recovered', 'redelivered'])('keeps a %s event in the export of its customer', async (way) => {
  const { id: webhookId } = await harness.createWebhook('https://example.com/hook');
  const customerId = randomUUID();
  const [event] = await harness.emit({ customerId }, { customerId: randomUUID() });
  const before = await exportIds(customerId);
  expect(before.webhook_events).toEqual([event?.id]);

  const { pool } = harness.database;
  await pool.query(
    `UPDATE webhook_deliveries SET status = 'failed', updated_at = clock_timestamp() WHERE status = 'pending'`,
  );
  await pool.query('DELETE FROM webhook_lanes');
  if (way === 'recovered')
    await recoverWebhook(harness.ctx, harness.projectId, { webhookId, since: new Date('2026-01-01T00:00:00.000Z') });
  else for (const { id } of await harness.deliveries(webhookId)) await requeueFinished(pool, webhookId, id);

  const { rows } = await pool.query('SELECT lane_key FROM webhook_lanes WHERE webhook_id = $1', [webhookId]);
  expect(new Set(rows.map(({ lane_key: key }) => key)).size).toBe(2);
  expect(await exportIds(customerId)).toEqual(before);
});
