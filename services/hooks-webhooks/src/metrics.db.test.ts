import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetricsRegistry } from '@tollgate/metrics';
import { parseMetrics, scrapeMetrics, waitUntil } from '@tollgate/testkit';
import { readDueDeliveries } from './store/delivery-queues.js';
import { type Harness, startHarness } from './testing/harness.js';

const registry = new MetricsRegistry();
let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url, registry);
});
afterAll(() => h.stop());

const page = async () => parseMetrics(await registry.scrape());

describe('the metrics of webhook deliveries', () => {
  it('shows what waits, then counts attempts by outcome with their durations', async () => {
    const receiver = await h.startReceiver();
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({}, {}, {});
    h.startWorker({ concurrency: 0 }); // a worker without slots: only its gauges
    const waiting = (await scrapeMetrics(registry, 'tollgate_queue_depth')).tollgate_queue_depth?.samples;
    expect(waiting).toMatchObject([{ labels: { service: 'hooks-webhooks', queue: 'webhooks' }, value: 3 }]);

    h.startWorker();
    await h.waitForStatus(id, 'delivered', 3);
    const outcomes = async () =>
      Object.fromEntries(
        ((await page()).tollgate_webhook_deliveries_total?.samples ?? []).map(({ labels, value }) => [
          labels.outcome,
          value,
        ]),
      );
    expect(await outcomes()).toEqual({ delivered: 3 });

    const closed = await h.startReceiver();
    // On a busy machine, the fast schedule would be over before the next test.
    const failing = await h.createWebhook(closed.url, { retrySchedule: 'standard' });
    await closed.stop();
    await h.emit({});
    await waitUntil(async () => ((await outcomes()).retried ?? 0) >= 1, { what: 'a failed attempt' });
    await h.waitForStatus(id, 'delivered', 4);
    expect((await outcomes()).delivered).toBe(4);
    expect(failing.id).toBeDefined();
    const durations = (await page()).tollgate_webhook_delivery_duration_seconds?.samples ?? [];
    const delivered = durations.find(({ name, labels }) => name.endsWith('_count') && labels.outcome === 'delivered');
    expect(delivered?.value).toBe((await outcomes()).delivered);
  });

  it('counts no delivery that waits for its retry', async () => {
    await h.ctx.pool.query("UPDATE webhook_lanes SET due_at = now() + interval '1 hour', leased_until = NULL");
    await h.ctx.pool.query("UPDATE webhook_deliveries SET created_at = now() - interval '1 hour'");
    const { rows: pending } = await h.ctx.pool.query("SELECT 1 FROM webhook_deliveries WHERE status = 'pending'");
    expect(pending).toHaveLength(1);
    expect(await readDueDeliveries(h.ctx.queuePool)).toEqual({ count: 0, oldestSeconds: 0 });
    await h.ctx.pool.query("UPDATE webhook_lanes SET due_at = now() - interval '2 minutes'");
    const due = await readDueDeliveries(h.ctx.queuePool);
    expect(due.count).toBe(1);
    expect(due.oldestSeconds).toBeGreaterThanOrEqual(120);
  });
});
