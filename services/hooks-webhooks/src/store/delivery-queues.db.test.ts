import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FIRST_ID, withTransaction } from '@tollgate/postgres';
import { waitUntil } from '@tollgate/testkit';
import type { AttemptReport, ClaimedDelivery } from '../domain/webhooks/delivery.js';
import { claimDeliveries, recordAttempts } from '../operations/webhooks/deliver-events.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { lockLeases, queueDeliveries, saveOutcomes } from './delivery-queues.js';

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterEach(() => h.database.pool.query('UPDATE webhooks SET deleted_at = now()'));
afterAll(() => h.stop());

const event = (customerId: string) => ({
  id: randomUUID(),
  type: 'request.completed' as const,
  projectId: h.projectId,
  occurredAt: new Date(),
  customerId,
  data: {},
});

async function claim(): Promise<ClaimedDelivery[]> {
  return (await claimDeliveries(h.ctx, FIRST_ID, { total: 9, failing: 9 })).deliveries;
}

function delivered({ lease }: ClaimedDelivery): AttemptReport {
  const verdict = { outcome: 'delivered' } as const;
  return { lease, verdict, isInterrupted: false, responseStatus: 200, latencyMs: 1, startedAt: new Date() };
}

/** Waits until the work waits for a lock or is done. */
async function blockedOrDone(work: Promise<unknown>): Promise<void> {
  const isBlocked = () => h.database.countLockWaits('');
  await Promise.race([work, waitUntil(isBlocked, { what: 'a statement that waits for a lock' })]);
}

describe('a delivery that is queued while the previous one is recorded', () => {
  it('becomes the head when the queueing commits last', async () => {
    await h.createWebhook('http://127.0.0.1:9/');
    const customerId = randomUUID();
    await h.emit(event(customerId));
    const [first] = await claim();
    const second = event(customerId);
    let recording: Promise<unknown> | undefined;
    await withTransaction(h.ctx.queuePool, async (tx) => {
      await queueDeliveries(tx, [second]);
      recording = recordAttempts(h.ctx, [delivered(first!)]);
      await blockedOrDone(recording);
    });
    await recording;
    expect((await claim()).map(({ eventId }) => eventId)).toEqual([second.id]);
  });

  it('becomes the head when the recording commits last', async () => {
    await h.createWebhook('http://127.0.0.1:9/');
    const customerId = randomUUID();
    await h.emit(event(customerId));
    const [first] = await claim();
    const second = event(customerId);
    let queueing: Promise<unknown> | undefined;
    await withTransaction(h.ctx.queuePool, async (tx) => {
      await lockLeases(tx, [first!.lease]);
      await saveOutcomes(tx, [delivered(first!)]);
      queueing = h.emit(second);
      await blockedOrDone(queueing);
    });
    await queueing;
    expect((await claim()).map(({ eventId }) => eventId)).toEqual([second.id]);
  });
});

describe('the head of a queue', () => {
  it('blocks claims of other deliveries in its queue', async () => {
    await h.createWebhook('http://127.0.0.1:9/');
    const customerId = randomUUID();
    const events = await h.emit(event(customerId), event(customerId), event(randomUUID()));
    const ids = events.map(({ id }) => id);
    const claimed = await claim();
    expect(claimed.map(({ eventId }) => eventId).sort()).toEqual([ids[0]!, ids[2]!].sort());
    await recordAttempts(h.ctx, claimed.map(delivered));
    expect((await claim()).map(({ eventId }) => eventId)).toEqual([ids[1]]);
  });
});
