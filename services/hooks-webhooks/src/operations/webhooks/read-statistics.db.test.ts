import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Harness, startHarness } from '../../testing/harness.js';
import { readWebhookStatistics } from './read-statistics.js';

let harness: Harness;
let webhookId: string;

beforeAll(async () => {
  harness = await startHarness(import.meta.url);
  webhookId = (await harness.createWebhook('https://example.com/hook')).id;
  const other = (await harness.createWebhook('https://example.com/other')).id;
  await harness.emit(...Array.from({ length: 104 }, () => ({})));
  await harness.database.pool.query(
    `WITH numbered AS (SELECT id, row_number() OVER (ORDER BY seq)::int AS n FROM webhook_deliveries WHERE webhook_id = $1)
     UPDATE webhook_deliveries d SET
       created_at = CASE WHEN n <= 100 THEN '2026-11-01T10:30:00Z'::timestamptz
         WHEN n <= 102 THEN '2026-11-01T12:00:00Z' ELSE '2026-11-02T00:00:00Z' END,
       status = CASE WHEN n <= 90 THEN 'delivered' WHEN n <= 100 THEN 'failed' WHEN n = 101 THEN 'processing' ELSE 'pending' END,
       latency_ms = CASE WHEN n <= 100 THEN n END,
       is_test = n = 104
     FROM numbered WHERE numbered.id = d.id`,
    [webhookId],
  );
  await harness.database.pool.query('DELETE FROM webhook_deliveries WHERE webhook_id = $1', [other]);
});
afterAll(() => harness.stop());

const at = (time: string) => timestampFromDate(new Date(time));
const read = (
  from = '2026-11-01T00:00:00Z',
  to = '2026-11-03T00:00:00Z',
  interval = 'hour',
  { projectId = harness.projectId, max = undefined as number | undefined } = {},
) => readWebhookStatistics(harness.ctx, projectId, { webhookId, from: at(from), to: at(to), interval }, max);

it('counts by status and hour, with percentiles of the latency and the total', async () => {
  const none = { p50: null, p95: null, p99: null };
  const counts = { pending: 0n, processing: 0n, delivered: 0n, failed: 0n };
  const first = { ...counts, delivered: 90n, failed: 10n, p50: 50, p95: 95, p99: 99 };
  expect(await read()).toMatchObject([
    { at: new Date('2026-11-01T10:00:00Z'), ...first },
    { at: new Date('2026-11-01T12:00:00Z'), ...counts, pending: 1n, processing: 1n, ...none },
    { at: new Date('2026-11-02T00:00:00Z'), ...counts, pending: 1n, ...none },
    { at: null, ...first, pending: 2n, processing: 1n },
  ]);
});

it('counts by day, from inclusive and to exclusive', async () => {
  const days = await read('2026-11-01T12:00:00Z', '2026-11-02T00:00:00Z', 'day');
  expect(days).toMatchObject([
    { at: new Date('2026-11-01T00:00:00Z'), pending: 1n, processing: 1n, delivered: 0n },
    { at: null, pending: 1n, processing: 1n },
  ]);
});

it('has an empty total for a range without deliveries', async () => {
  expect(await read('2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z')).toMatchObject([
    { at: null, pending: 0n, delivered: 0n, failed: 0n, p50: null },
  ]);
});

it('rejects ranges that are empty, too long or too full, and foreign webhooks', async () => {
  const refused = { code: 'INVALID_INPUT' };
  await expect(read('2026-11-03T00:00:00Z', '2026-11-03T00:00:00Z')).rejects.toMatchObject(refused);
  await expect(read('2026-11-01T00:00:00Z', '2026-11-10T00:00:00Z')).rejects.toMatchObject(refused);
  await expect(read('2026-01-01T00:00:00Z', '2026-11-10T00:00:00Z', 'day')).rejects.toMatchObject(refused);
  await expect(read(undefined, undefined, 'minute')).rejects.toMatchObject(refused);
  await expect(read(undefined, undefined, 'hour', { max: 102 })).rejects.toMatchObject(refused);
  expect(await read(undefined, undefined, 'hour', { max: 103 })).toHaveLength(4);
  await expect(read(undefined, undefined, 'hour', { projectId: randomUUID() })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
