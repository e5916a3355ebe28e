import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseDelivery, waitUntil } from '@tollgate/testkit';
import { createWebhook } from '../operations/webhooks/webhooks.js';
import { type Harness, startHarness } from '../testing/harness.js';
import type { DeliveryWorker } from './delivery-worker.js';

let h: Harness;
let worker: DeliveryWorker;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
beforeEach(() => {
  worker = h.startWorker({ concurrency: 20, perEndpoint: 4 });
});
afterEach(async () => {
  await worker.stop();
  await h.database.pool.query('UPDATE webhooks SET deleted_at = now()');
});
afterAll(() => h.stop());

/** Its attempts at an endpoint that hangs end after 30 s. */
const slow = { retrySchedule: 'standard' };
const ATTEMPT_MS = 28_000;

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('a dead endpoint among many', () => {
  it('does not delay the others, however much is queued for it', async () => {
    const [dead, alive] = [await h.startReceiver(), await h.startReceiver()];
    dead.answerWith({ hang: true });
    const { id: deadId } = await h.createWebhook(dead.url, { ...slow, events: ['customer.created'] });
    const ids = await Promise.all(times(30, async (n) => (await h.createWebhook(`${alive.url}${n}`)).id));
    await h.emit(...times(200, () => ({ type: 'customer.created' as const })));
    await dead.waitForCount(4);
    await h.emit({}, {});
    await alive.waitForCount(60, ATTEMPT_MS);
    for (const id of ids) await h.waitForStatus(id, 'delivered', 2);
    // No attempt at it has ended yet, so the others did not wait for it.
    expect(dead.deliveries).toHaveLength(4);
    expect((await h.deliveries(deadId)).filter((delivery) => delivery.status === 'pending')).toHaveLength(196);
  });

  it('gets one attempt at a time after a failure, and its full share after a success', async () => {
    const receiver = await h.startReceiver();
    receiver.answerNext({ status: 500 });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    await h.waitForAttempts(id, 1);
    let inAir = 0;
    const seen: number[] = [];
    receiver.answerWith(() => {
      seen.push(++inAir);
      setTimeout(() => inAir--, 30);
      return { delayMs: 30 };
    });
    await h.emit(...times(8, () => ({})));
    await h.waitForStatus(id, 'delivered', 9);
    expect(seen[0]).toBe(1);
    expect(Math.max(...seen)).toBeGreaterThan(1);
    const firstAlone = receiver.deliveries[2]!.receivedAt.getTime() - receiver.deliveries[1]!.receivedAt.getTime();
    expect(firstAlone).toBeGreaterThanOrEqual(28);
  });

  it('leaves room for healthy endpoints when most of all endpoints are dead', async () => {
    const [dead, alive] = [await h.startReceiver(), await h.startReceiver()];
    dead.answerWith({ hang: true });
    const deadIds = await Promise.all(times(40, async (n) => (await h.createWebhook(`${dead.url}${n}`, slow)).id));
    await h.database.pool.query('UPDATE webhooks SET failed_attempts = 1 WHERE id = ANY ($1)', [deadIds]);
    const { id } = await h.createWebhook(alive.url, { events: ['customer.created'] });
    await h.emit({});
    await dead.waitForCount(10);
    await h.emit(...times(20, () => ({ type: 'customer.created' as const })));
    await h.waitForStatus(id, 'delivered', 20, ATTEMPT_MS);
    expect(dead.deliveries).toHaveLength(10);
  });
});

describe('many endpoints', () => {
  it('serves 999 endpoints before the dead one ends its first attempt', async () => {
    const [dead, alive] = [await h.startReceiver(), await h.startReceiver()];
    dead.answerWith({ hang: true });
    const { id: deadId } = await h.createWebhook(dead.url, {
      ...slow,
      events: ['customer.created', 'request.completed'],
    });
    await h.emit(...times(300, () => ({ type: 'customer.created' as const })));
    await dead.waitForCount(4);
    const projectId = randomUUID();
    const create = (n: number) =>
      createWebhook(h.ctx, projectId, { endpointUrl: `${alive.url}${n}`, events: ['request.completed'] });
    for (let n = 0; n < 999; n += 111) await Promise.all(times(111, (at) => create(n + at)));
    const event = { id: randomUUID(), type: 'request.completed' as const, projectId, occurredAt: new Date(), data: {} };
    const endedBefore = (await h.deliveries(deadId)).flatMap(({ attempts }) => attempts).length;
    await h.emit(event);
    await alive.waitForCount(999, ATTEMPT_MS);
    expect(new Set(alive.deliveries.map(({ path }) => path)).size).toBe(999);
    const dying = await h.deliveries(deadId);
    // Without the limit, dozens of attempts would have been made.
    expect(dying.flatMap(({ attempts }) => attempts).length - endedBefore).toBeLessThanOrEqual(4);
    expect(dying.filter(({ status }) => status === 'processing').length).toBeLessThanOrEqual(4);
  });

  it('serves more endpoints than one claim scans', async () => {
    const receiver = await h.startReceiver();
    const count = 600;
    const projectId = randomUUID();
    const command = { endpointUrl: receiver.url, events: ['request.completed'] };
    const { webhook } = await createWebhook(h.ctx, projectId, command);
    await h.database.pool.query(
      `INSERT INTO webhooks (id, project_id, endpoint_url, event_types, enabled, signature_form, retry_schedule,
                             secret_key_id, secret_sealed)
       SELECT gen_random_uuid(), project_id, 'http://127.0.0.1:9/', event_types, true, signature_form, 'standard',
              secret_key_id, secret_sealed FROM webhooks, generate_series(2, $2) WHERE id = $1`,
      [webhook.id, count],
    );
    const event = { id: randomUUID(), type: 'request.completed' as const, projectId, occurredAt: new Date(), data: {} };
    await h.emit(event);
    const attempts = async () => {
      const { rows } = await h.database.pool.query(
        'SELECT count(*)::int AS made FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.event_id = $1',
        [event.id],
      );
      return rows[0].made === count;
    };
    await waitUntil(attempts, { what: 'one attempt per endpoint' });
    expect(receiver.deliveries).toHaveLength(1);
  });
});

describe('order', () => {
  const customerIds = [randomUUID(), randomUUID()];

  it('keeps the order per customer and endpoint through a retry', async () => {
    const receiver = await h.startReceiver();
    const { id } = await h.createWebhook(receiver.url);
    receiver.answerNext({ status: 500 });
    const mine = times(6, (n) => ({ customerId: customerIds[0]!, data: { n } }));
    await h.emit(...mine.slice(0, 3));
    await receiver.waitForCount(1);
    await h.emit(...mine.slice(3));
    await h.waitForStatus(id, 'delivered', 6);
    const order = receiver.deliveries.map((delivery) => (parseDelivery(delivery).data as { n: number }).n);
    expect(order).toEqual([0, 0, 1, 2, 3, 4, 5]);
  });

  it('delays no events of other customers or without a customer', async () => {
    const receiver = await h.startReceiver();
    const { id } = await h.createWebhook(receiver.url);
    receiver.answerNext({ status: 500 });
    await h.emit({ customerId: customerIds[0]!, data: { n: 'held' } });
    await h.waitForAttempts(id, 1);
    await h.emit({ customerId: customerIds[1]!, data: { n: 'other' } }, { data: { n: 'none' } });
    await receiver.waitForCount(4);
    const order = receiver.deliveries.map((delivery) => (parseDelivery(delivery).data as { n: string }).n);
    expect(order[0]).toBe('held');
    expect(order.slice(1, 3).sort()).toEqual(['none', 'other']);
    expect(order[3]).toBe('held');
  });

  it('continues after a delivery that failed permanently', async () => {
    const receiver = await h.startReceiver();
    const { id } = await h.createWebhook(receiver.url);
    receiver.answerNext({ status: 400 });
    await h.emit(...times(3, (n) => ({ customerId: customerIds[0]!, data: { n } })));
    await h.waitForStatus(id, 'delivered', 2);
    expect((await h.deliveries(id)).map((delivery) => delivery.status)).toEqual(['failed', 'delivered', 'delivered']);
    const queues = await h.database.pool.query('SELECT 1 FROM webhook_lanes WHERE webhook_id = $1', [id]);
    expect(queues.rowCount).toBe(0);
  });

  it('keeps the order and loses nothing while queueing and delivering concurrently', async () => {
    const receiver = await h.startReceiver();
    // On a busy machine an attempt may take longer than the fast schedule waits.
    const { id } = await h.createWebhook(receiver.url, { retrySchedule: 'standard' });
    let inAir = 0;
    let most = 0;
    receiver.answerWith(() => {
      most = Math.max(most, ++inAir);
      setImmediate(() => inAir--);
      return {};
    });
    const ids: string[] = [];
    for (let n = 0; n < 60; n++) ids.push(...(await h.emit({ customerId: customerIds[0]! })).map((event) => event.id));
    const crowd = await Promise.all(times(90, () => h.emit({ customerId: customerIds[0]! })));
    await h.waitForStatus(id, 'delivered', 150);
    expect(most).toBe(1);
    const arrived = receiver.deliveries.map((delivery) => parseDelivery(delivery).event_id);
    expect(arrived.slice(0, 60)).toEqual(ids);
    // Concurrently consumed events arrive in any order, each once.
    expect(arrived.slice(60).sort()).toEqual(crowd.flatMap((events) => events.map((event) => event.id)).sort());
    const queues = await h.database.pool.query('SELECT 1 FROM webhook_lanes WHERE webhook_id = $1', [id]);
    expect(queues.rowCount).toBe(0);
  });
});
