import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import { parseDelivery, type WebhookReceiver, waitUntil } from '@tollgate/testkit';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { deleteWebhook, requireWebhook, updateWebhook } from '../operations/webhooks/webhooks.js';
import { type Harness, startHarness } from '../testing/harness.js';
import type { DeliveryWorker } from './delivery-worker.js';

let h: Harness;
let worker: DeliveryWorker;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  h = await startHarness(import.meta.url);
  worker = h.startWorker();
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  await h.database.pool.query('UPDATE webhooks SET deleted_at = now()');
});
afterAll(() => h.stop());

async function receive(): Promise<WebhookReceiver> {
  const receiver = await h.startReceiver();
  receivers.push(receiver);
  return receiver;
}

const isEnabled = async (id: string) => (await requireWebhook(h.ctx, h.projectId, id)).enabled;

describe('a delivery', () => {
  it('arrives once, with the stored bytes, the event headers and a signature of form A', async () => {
    const receiver = await receive();
    const { id, secret } = await h.createWebhook(receiver.url);
    const [event] = await h.emit({ data: { request_id: 'r-1' } });
    const [delivery] = await h.waitForStatus(id, 'delivered');

    expect(receiver.deliveries).toHaveLength(1);
    const { headers, rawBody, method } = receiver.deliveries[0]!;
    expect(method).toBe('POST');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Tollgate/1.0 (webhooks)',
      'x-service-event-type': 'request.completed',
      'x-service-event-id': event!.id,
    });
    expect(JSON.parse(rawBody.toString())).toEqual({
      event_type: 'request.completed',
      event_id: event!.id,
      timestamp: event!.occurredAt.toISOString(),
      project_id: h.projectId,
      data: { request_id: 'r-1' },
    });
    await expect(verify(secret, rawBody.toString(), String(headers['x-service-signature']))).resolves.toBe(true);
    expect(delivery).toMatchObject({ attemptCount: 1, responseStatus: 200, error: undefined });
    expect(Buffer.from(delivery!.event.payload)).toEqual(rawBody);
    expect(delivery!.attempts).toMatchObject([{ attempt: 1, outcome: 'delivered', responseStatus: 200 }]);
  });

  it("passes Stripe's constructEvent in the timestamped form", async () => {
    const receiver = await receive();
    const { secret } = await h.createWebhook(receiver.url, { signatureForm: 'timestamped' });
    const [event] = await h.emit({});
    const { headers, rawBody } = await receiver.waitFor(() => true);
    const stripe = new Stripe('sk_test_unused');
    const verified = stripe.webhooks.constructEvent(rawBody, String(headers['x-service-signature']), secret);
    expect(verified).toMatchObject({ event_id: event!.id });
  });

  it('passes the Standard Webhooks reference library with one id for every attempt', async () => {
    const receiver = await receive();
    receiver.answerNext({ status: 500 });
    const { id, secret } = await h.createWebhook(receiver.url, { signatureForm: 'standard' });
    const [event] = await h.emit({});
    await h.waitForStatus(id, 'delivered');
    expect(receiver.deliveries).toHaveLength(2);
    for (const { headers, rawBody } of receiver.deliveries) {
      expect(headers).toMatchObject({ 'webhook-id': event!.id, 'x-service-event-id': event!.id });
      expect(headers).not.toHaveProperty('x-service-signature');
      const verified = new Webhook(secret).verify(rawBody, headers as Record<string, string>);
      expect(verified).toMatchObject({ event_id: event!.id });
    }
  });

  it('retries after a 500 with the same bytes and a new signature', async () => {
    const receiver = await receive();
    receiver.answerNext({ status: 500 });
    const { id, secret } = await h.createWebhook(receiver.url, { signatureForm: 'timestamped' });
    await h.emit({});
    const [delivery] = await h.waitForStatus(id, 'delivered');
    expect(delivery!.attempts).toMatchObject([
      { attempt: 1, outcome: 'retry', responseStatus: 500, error: 'endpoint answered 500' },
      { attempt: 2, outcome: 'delivered', responseStatus: 200 },
    ]);
    const [first, second] = receiver.deliveries;
    expect(second!.rawBody).toEqual(first!.rawBody);
    expect(second!.headers['x-service-event-id']).toBe(first!.headers['x-service-event-id']);
    expect(second!.headers['x-service-signature']).not.toBe(first!.headers['x-service-signature']);
    // The retry waited for the slot of the fast schedule.
    expect(second!.receivedAt.getTime() - first!.receivedAt.getTime()).toBeGreaterThanOrEqual(950);
    expect(() =>
      new Stripe('sk').webhooks.constructEvent(second!.rawBody, String(second!.headers['x-service-signature']), secret),
    ).not.toThrow();
  });

  it('retries an attempt that times out because the endpoint hangs or answers too late', async () => {
    const [hanging, late] = [await receive(), await receive()];
    hanging.answerNext({ hang: true });
    late.answerNext({ delayMs: 5_300 });
    const ids = [(await h.createWebhook(hanging.url)).id, (await h.createWebhook(late.url)).id];
    await h.emit({});
    for (const id of ids) {
      const [delivery] = await h.waitForStatus(id, 'delivered');
      expect(delivery!.attempts).toMatchObject([
        { outcome: 'retry', responseStatus: undefined, error: 'no complete answer within 5000 ms' },
        { outcome: 'delivered', responseStatus: 200 },
      ]);
      expect(delivery!.attempts[0]!.latencyMs).toBeGreaterThanOrEqual(4_900);
    }
  });

  it.each([429, 503])('waits for the Retry-After of a %i that is longer than the slot', async (status) => {
    const receiver = await receive();
    receiver.answerNext({ status, headers: { 'retry-after': '3' } });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    const [delivery] = await h.waitForStatus(id, 'delivered');
    const [first, second] = delivery!.attempts;
    const pauseMs = second!.startedAt.getTime() - first!.startedAt.getTime() - first!.latencyMs!;
    expect(pauseMs).toBeGreaterThanOrEqual(2_900);
  });

  it.each([
    [undefined, 2],
    [3_600, 2],
    [0, 1],
  ])('signs with the old secret, too, for the overlap of a rotation: %s', async (overlapSeconds, signatures) => {
    const receiver = await receive();
    const { id } = await h.createWebhook(receiver.url, { signatureForm: 'timestamped' });
    const settings = { endpointUrl: receiver.url, events: ['request.completed'], rotateSecret: true };
    await updateWebhook(h.ctx, h.projectId, id, { ...settings, overlapSeconds });
    await h.emit({});
    await h.waitForStatus(id, 'delivered');
    const header = String(receiver.deliveries.at(-1)?.headers['x-service-signature']);
    expect(header.split(',').filter((part) => part.startsWith('v1='))).toHaveLength(signatures);
  });

  it('fails permanently on a 400', async () => {
    const receiver = await receive();
    receiver.answerWith({ status: 400 });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    const [delivery] = await h.waitForStatus(id, 'failed');
    expect(delivery).toMatchObject({ attemptCount: 1, responseStatus: 400, error: 'endpoint answered 400' });
    expect(receiver.deliveries).toHaveLength(1);
    expect(await isEnabled(id)).toBe(true);
  });

  it('does not follow a redirect', async () => {
    const [receiver, other] = [await receive(), await receive()];
    receiver.answerNext({ redirectTo: other.url });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    const [delivery] = await h.waitForStatus(id, 'delivered');
    expect(delivery!.attempts[0]).toMatchObject({ outcome: 'retry', responseStatus: 302 });
    expect(other.deliveries).toHaveLength(0);
  });

  it('retries after a cut connection', async () => {
    const receiver = await receive();
    receiver.answerNext({ cut: true });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    const [delivery] = await h.waitForStatus(id, 'delivered');
    expect(delivery!.attempts[0]).toMatchObject({ outcome: 'retry', responseStatus: undefined });
    expect(delivery!.attempts[0]!.error).toBeTruthy();
  });

  it('makes at most five attempts', async () => {
    const receiver = await receive();
    receiver.answerWith({ status: 503 });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    for (let attempt = 1; attempt < 5; attempt++) {
      await h.waitForAttempts(id, attempt);
      await h.hurry();
    }
    const [delivery] = await h.waitForStatus(id, 'failed');
    await h.hurry();
    expect(delivery!.attempts.map((attempt) => attempt.outcome)).toEqual([...Array(4).fill('retry'), 'failed']);
    expect(receiver.deliveries).toHaveLength(5);
  });
});

describe('an endpoint whose name resolves to a private address', () => {
  it('gets no request there, logs each attempt, and is called when the name is public again', async () => {
    const receiver = await receive();
    const { id } = await h.createWebhook(receiver.url.replace('127.0.0.1', 'rebind.test'), {
      retrySchedule: 'standard', // retries only when it is hurried
    });
    const addresses = [['169.254.169.254'], ['127.0.0.1', '169.254.169.254'], ['127.0.0.1']];
    const lookup = async () => addresses.shift() ?? ['127.0.0.1'];
    await worker.stop();
    const rebound = h.startWorker({}, { names: { lookup, lookupTtlMs: 0 } });
    await h.emit({});
    for (const attempt of [1, 2]) {
      await h.waitForAttempts(id, attempt);
      expect(receiver.deliveries).toHaveLength(0);
      await h.hurry();
    }
    const [delivery] = await h.waitForStatus(id, 'delivered');
    const refused = { outcome: 'retry', responseStatus: undefined, error: 'the host may not be called' };
    expect(delivery!.attempts).toMatchObject([refused, refused, { outcome: 'delivered', responseStatus: 200 }]);
    expect(receiver.deliveries).toHaveLength(1);
    await rebound.stop();
    worker = h.startWorker();
  });
});

describe('an endpoint', () => {
  it('becomes disabled at the fifth consecutive failed delivery and gets no more', async () => {
    const receiver = await receive();
    receiver.answerWith({ status: 400 });
    const { id } = await h.createWebhook(receiver.url);
    for (let n = 1; n <= 4; n++) {
      await h.emit({});
      await h.waitForStatus(id, 'failed', n);
    }
    expect(await isEnabled(id)).toBe(true);
    await h.emit({});
    await h.waitForStatus(id, 'failed', 5);
    expect(await requireWebhook(h.ctx, h.projectId, id)).toMatchObject({ enabled: false, disabledReason: 'failures' });
    await h.emit({});
    // Kept for a recovery, not sent.
    const kept = { status: 'failed', attemptCount: 0 };
    expect((await h.deliveries(id)).filter(({ attemptCount }) => attemptCount === 0)).toMatchObject([kept]);
    expect(receiver.deliveries).toHaveLength(5);
  });

  it('stays enabled when a success comes in between', async () => {
    const receiver = await receive();
    const { id } = await h.createWebhook(receiver.url);
    const statuses = [400, 400, 400, 400, 200, 400, 400, 400, 400];
    for (const [index, status] of statuses.entries()) {
      receiver.answerNext({ status });
      await h.emit({});
      await receiver.waitForCount(index + 1);
    }
    await h.waitForStatus(id, 'failed', 8);
    expect(await isEnabled(id)).toBe(true);
  });

  it('restarts its failure count when its owner enables it', async () => {
    const receiver = await receive();
    receiver.answerWith({ status: 400 });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({}, {}, {}, {}, {});
    await h.waitForStatus(id, 'failed', 5);
    const settings = { endpointUrl: receiver.url, events: ['request.completed'], rotateSecret: false };
    await updateWebhook(h.ctx, h.projectId, id, { ...settings, enabled: true });
    await h.emit({});
    await h.waitForStatus(id, 'failed', 6);
    expect(await requireWebhook(h.ctx, h.projectId, id)).toMatchObject({ enabled: true, disabledReason: undefined });
  });

  it('stays disabled with the reason when it is edited', async () => {
    const receiver = await receive();
    receiver.answerWith({ status: 400 });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({}, {}, {}, {}, {});
    await h.waitForStatus(id, 'failed', 5);
    const settings = { endpointUrl: `${receiver.url}new`, events: ['customer.created'], rotateSecret: false };
    for (const enabled of [undefined, false]) {
      const { webhook } = await updateWebhook(h.ctx, h.projectId, id, { ...settings, enabled });
      expect(webhook).toMatchObject({ enabled: false, disabledReason: 'failures', endpointUrl: settings.endpointUrl });
    }
  });

  it('becomes disabled at once by a 410, which cancels its pending deliveries', async () => {
    const receiver = await receive();
    receiver.answerNext({ status: 500 }, { status: 410 });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    await h.waitForAttempts(id, 1);
    await h.emit({});
    const failed = await h.waitForStatus(id, 'failed', 2);
    expect(failed.map((delivery) => delivery.error).sort()).toEqual([
      'canceled: the webhook was disabled',
      'endpoint answered 410',
    ]);
    expect(await requireWebhook(h.ctx, h.projectId, id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
  });

  it('gets no pending delivery after it was deleted', async () => {
    const receiver = await receive();
    receiver.answerNext({ status: 500 });
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    await h.waitForAttempts(id, 1);
    await deleteWebhook(h.ctx, h.projectId, id);
    await h.hurry();
    await waitUntil(async () => (await h.deliveries(id))[0]!.status === 'failed', { what: 'the cancellation' });
    const queues = await h.database.pool.query('SELECT 1 FROM webhook_lanes WHERE webhook_id = $1', [id]);
    expect(queues.rowCount).toBe(0);
    expect(receiver.deliveries).toHaveLength(1);
  });
});

describe('one event', () => {
  it('reaches every subscribed endpoint under the same id, and no other endpoint', async () => {
    const receiver = await receive();
    await h.createWebhook(`${receiver.url}a`);
    await h.createWebhook(`${receiver.url}b`);
    await h.createWebhook(`${receiver.url}other-type`, { events: ['customer.created'] });
    await h.createWebhook(`${receiver.url}off`, { enabled: false });
    const [event] = await h.emit({});
    const arrived = await receiver.waitForCount(2);
    expect(arrived.map((delivery) => delivery.path).sort()).toEqual(['/a', '/b']);
    expect(new Set(arrived.map((delivery) => parseDelivery(delivery).event_id))).toEqual(new Set([event!.id]));
  });

  it('queues no second delivery when it is repeated', async () => {
    const receiver = await receive();
    const { id } = await h.createWebhook(receiver.url);
    const [event] = await h.emit({});
    await h.waitForStatus(id, 'delivered');
    await h.emit(event!, event!);
    expect(await h.deliveries(id)).toHaveLength(1);
  });
});
