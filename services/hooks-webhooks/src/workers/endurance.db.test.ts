import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime';
import { parseDelivery, type WebhookAnswer, waitUntil } from '@tollgate/testkit';
import { type Harness, startHarness } from '../testing/harness.js';

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());

const WORKERS = 4;
const EVENTS = 150;
const CUSTOMERS = 20;
/** Ends a test that hangs. The work takes 5 s on an idle machine and 25 s next to four busy processes. */
const WAIT_MS = 180_000;

/** An endpoint chooses among these at random; `cut` closes the connection before the answer. */
const answers: WebhookAnswer[] = [{}, {}, {}, { delayMs: 20 }, { status: 500 }, { cut: true }, { status: 429 }];

/**
 * Resets the webhooks' failure counters in the statement that sets them: no failing streak may disable or slow them.
 */
const keepWebhooksHealthy = `
  CREATE FUNCTION keep_healthy() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.failed_deliveries := 0;
    NEW.failed_attempts := 0;
    NEW.enabled := true;
    NEW.disabled_reason := NULL;
    RETURN NEW;
  END $$;
  CREATE TRIGGER keep_healthy BEFORE UPDATE ON webhooks FOR EACH ROW EXECUTE FUNCTION keep_healthy()`;

/** Expires some leases, in the workers' lock order: any other deadlocks with them. */
const cutLeases = `
  UPDATE webhook_lanes SET leased_until = now() - interval '1 ms'
  WHERE (webhook_id, lane_key) IN (
    SELECT webhook_id, lane_key FROM webhook_lanes WHERE leased_until IS NOT NULL AND random() < 0.2
    ORDER BY webhook_id, lane_key FOR UPDATE)`;

it('loses no delivery and makes no sixth attempt while leases of several workers are cut at random', async () => {
  const { pool } = h.database;
  const receiver = await h.startReceiver();
  const sent = new Map<string, number>();
  receiver.answerWith((delivery) => {
    const key = `${delivery.path} ${parseDelivery(delivery).event_id}`;
    sent.set(key, (sent.get(key) ?? 0) + 1);
    return answers[Math.floor(Math.random() * answers.length)]!;
  });
  const webhooks = await Promise.all([0, 1, 2].map((n) => h.createWebhook(`${receiver.url}${n}`)));
  await pool.query(keepWebhooksHealthy);
  const errors: string[] = [];
  const logger = createLogger('test', 'error', { write: (line) => errors.push(line) });
  const workers = Array.from({ length: WORKERS }, () => h.startWorker({ concurrency: 40, pollMs: 10 }, { logger }));
  let emitted = 0;
  const emit = async () => {
    for (; emitted < EVENTS; emitted++) await h.emit({ customerId: `customer ${emitted % CUSTOMERS}` });
  };
  const areAllDeliveriesFinished = async () => {
    await pool.query(cutLeases);
    await h.hurry();
    const { rows } = await pool.query(`SELECT count(*)::int AS open FROM webhook_lanes`);
    return emitted === EVENTS && rows[0].open === 0;
  };
  await Promise.all([
    emit(),
    waitUntil(areAllDeliveriesFinished, { what: 'every delivery to end', timeoutMs: WAIT_MS }),
  ]);
  await Promise.all(workers.map((worker) => worker.stop()));

  expect(errors).toEqual([]);
  expect(Math.max(...sent.values())).toBeLessThanOrEqual(5);
  for (const [n, { id }] of webhooks.entries()) {
    const deliveries = await h.deliveries(id);
    expect(deliveries).toHaveLength(EVENTS);
    for (const { status, attemptCount, attempts, eventId } of deliveries) {
      const requests = sent.get(`/${n} ${eventId}`) ?? 0;
      const outcomes = attempts.map(({ outcome }) => outcome);
      expect({ status, attempts: attempts.map(({ attempt }) => attempt) }).toEqual({
        status: outcomes.at(-1) === 'delivered' ? 'delivered' : 'failed',
        attempts: Array.from({ length: attemptCount }, (_, at) => at + 1),
      });
      // A failed delivery has used all attempts; a delivered one has reached its endpoint.
      if (status === 'failed') expect(attemptCount).toBe(5);
      else expect(requests).toBeGreaterThanOrEqual(1);
      expect(requests).toBeLessThanOrEqual(attemptCount);
      expect(outcomes.slice(0, -1).every((outcome) => outcome === 'retry' || outcome === 'interrupted')).toBe(true);
    }
  }
  const all = await pool.query(`SELECT outcome, count(*)::int FROM webhook_attempts GROUP BY 1`);
  // Attempts were in fact interrupted, retried and delivered.
  expect(all.rows.map((row) => row.outcome).sort()).toEqual(
    expect.arrayContaining(['delivered', 'interrupted', 'retry']),
  );
}, 600_000);
