import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jsonOf, type WebhookAnswer, waitUntil } from '@tollgate/testkit';
import { type Harness, startHarness } from '../testing/harness.js';

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());

const WORKERS = 4;
const EVENTS = 150;
const CUSTOMERS = 20;

/** Of endpoints that answer as they please; now and then in the middle of the answer. */
const answers: WebhookAnswer[] = [{}, {}, {}, { delayMs: 20 }, { status: 500 }, { cut: true }, { status: 429 }];

it('with several workers whose leases are cut at any moment, nothing is lost, no delivery has a sixth attempt, and each is logged', async () => {
  const receiver = await h.startReceiver();
  const sent = new Map<string, number>();
  receiver.answerWith((delivery) => {
    const key = `${delivery.path} ${jsonOf(delivery).event_id}`;
    sent.set(key, (sent.get(key) ?? 0) + 1);
    return answers[Math.floor(Math.random() * answers.length)]!;
  });
  const webhooks = await Promise.all([0, 1, 2].map((n) => h.createWebhook(`${receiver.url}${n}`)));
  const workers = Array.from({ length: WORKERS }, () => h.startWorker({ concurrency: 40, pollMs: 10 }));
  let emitted = 0;
  const emit = async () => {
    for (; emitted < EVENTS; emitted++) await h.emit({ customerId: `customer ${emitted % CUSTOMERS}` });
  };
  const emitting = emit();

  const { pool } = h.database;
  await waitUntil(
    async () => {
      // Every worker that holds one of these leases is as good as dead from here on.
      await pool.query(`UPDATE webhook_lanes SET leased_until = now() - interval '1 ms'
                        WHERE leased_until IS NOT NULL AND random() < 0.2`);
      // Nobody waits for a slot, and nobody is disabled: this is about the queue.
      await pool.query('UPDATE webhooks SET failed_deliveries = 0, failed_attempts = 0 WHERE failed_attempts > 0');
      await h.hurry();
      const { rows } = await pool.query(`SELECT count(*)::int AS open FROM webhook_lanes`);
      return emitted === EVENTS && rows[0].open === 0;
    },
    { what: 'every delivery to end', timeoutMs: 60_000 },
  );
  await emitting;
  await Promise.all(workers.map((worker) => worker.stop()));

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
      // What was given up was tried five times; what counts as delivered was answered by the endpoint.
      if (status === 'failed') expect(attemptCount).toBe(5);
      else expect(requests).toBeGreaterThanOrEqual(1);
      expect(requests).toBeLessThanOrEqual(attemptCount);
      expect(outcomes.slice(0, -1).every((outcome) => outcome === 'retry' || outcome === 'interrupted')).toBe(true);
    }
  }
  const all = await pool.query(`SELECT outcome, count(*)::int FROM webhook_attempts GROUP BY 1`);
  // The test did what it is named after.
  expect(all.rows.map((row) => row.outcome).sort()).toEqual(
    expect.arrayContaining(['delivered', 'interrupted', 'retry']),
  );
}, 90_000);
