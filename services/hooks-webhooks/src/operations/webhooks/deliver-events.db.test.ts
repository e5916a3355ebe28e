import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FIRST_ID } from '@tollgate/postgres';
import { parseDelivery, waitUntil } from '@tollgate/testkit';
import type { AttemptReport, ClaimedDelivery } from '../../domain/webhooks/delivery.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { claimDeliveries, reclaimExpired, recordAttempts } from './deliver-events.js';
import { redeliver } from './redeliver.js';

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterEach(() => h.database.pool.query('UPDATE webhooks SET deleted_at = now()'));
afterAll(() => h.stop());

/** Claims like a worker that crashes right afterwards. */
async function claimAndDie(): Promise<ClaimedDelivery[]> {
  const { deliveries } = await claimDeliveries(h.ctx, FIRST_ID, { total: 100, failing: 100 });
  return deliveries;
}

/** Expires all leases. */
async function expireLeases(): Promise<void> {
  await h.database.pool.query(
    `UPDATE webhook_lanes SET leased_until = now() - interval '1 ms' WHERE leased_until IS NOT NULL`,
  );
}

function delivered({ lease }: ClaimedDelivery): AttemptReport {
  const verdict = { outcome: 'delivered' } as const;
  return { lease, verdict, isInterrupted: false, responseStatus: 200, latencyMs: 1, startedAt: new Date() };
}

describe('a worker that crashes between claim and record', () => {
  it('leaves a delivery that another worker makes with the same event id', async () => {
    const receiver = await h.startReceiver();
    const { id } = await h.createWebhook(receiver.url);
    const [event] = await h.emit({});
    expect(await claimAndDie()).toHaveLength(1);
    const worker = h.startWorker({ pollMs: 20 });
    expect((await h.deliveries(id))[0]!.status).toBe('processing');
    await expireLeases();

    const [delivery] = await h.waitForStatus(id, 'delivered');
    expect(parseDelivery(receiver.deliveries[0]!).event_id).toBe(event!.id);
    expect(delivery!.attempts).toMatchObject([
      { attempt: 1, outcome: 'interrupted' },
      { attempt: 2, outcome: 'delivered' },
    ]);
    await worker.stop();
  });

  it('keeps its delivery while the lease is valid', async () => {
    await h.createWebhook('http://127.0.0.1:9/');
    await h.emit({});
    expect(await claimAndDie()).toHaveLength(1);
    expect(await claimAndDie()).toHaveLength(0);
    expect(await reclaimExpired(h.ctx)).toBe(0);
  });

  it('uses up an attempt, so that five crashes end the delivery', async () => {
    const { id } = await h.createWebhook('http://127.0.0.1:9/');
    await h.emit({});
    for (let crash = 1; crash <= 5; crash++) {
      expect(await claimAndDie()).toHaveLength(1);
      await expireLeases();
      await reclaimExpired(h.ctx);
    }
    expect(await claimAndDie()).toHaveLength(0);
    const [delivery] = await h.deliveries(id);
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: 5 });
    expect(delivery!.attempts).toHaveLength(5);
    // The crashes do not count against the endpoint.
    const { rows } = await h.database.pool.query(
      'SELECT failed_deliveries, failed_attempts FROM webhooks WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ failed_deliveries: 0, failed_attempts: 0 }]);
  });

  it('rejects its report once another worker took the delivery over', async () => {
    const { id } = await h.createWebhook('http://127.0.0.1:9/');
    await h.emit({});
    const stale = delivered((await claimAndDie())[0]!);
    await expireLeases();
    await reclaimExpired(h.ctx);
    expect((await recordAttempts(h.ctx, [stale])).lost).toEqual([stale]);
    const second = delivered((await claimAndDie())[0]!);
    expect((await recordAttempts(h.ctx, [stale])).lost).toEqual([stale]);
    expect((await h.deliveries(id))[0]).toMatchObject({ status: 'processing', attemptCount: 2 });
    expect((await recordAttempts(h.ctx, [second])).lost).toEqual([]);
    expect((await h.deliveries(id))[0]).toMatchObject({ status: 'delivered' });
  });

  it('rejects only the lost one of two reports of a delivery in one batch', async () => {
    const { id } = await h.createWebhook('http://127.0.0.1:9/');
    await h.emit({});
    const stale = delivered((await claimAndDie())[0]!);
    await expireLeases();
    await reclaimExpired(h.ctx);
    const second = delivered((await claimAndDie())[0]!);

    expect((await recordAttempts(h.ctx, [stale, second])).lost).toEqual([stale]);
    const [delivery] = await h.deliveries(id);
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 2 });
    expect(delivery!.attempts).toMatchObject([{ outcome: 'interrupted' }, { outcome: 'delivered' }]);
  });

  it('rejects a report from before a redelivery', async () => {
    const { id } = await h.createWebhook('http://127.0.0.1:9/');
    await h.emit({});
    const stale = delivered((await claimAndDie())[0]!);
    await expireLeases();
    await reclaimExpired(h.ctx);
    await recordAttempts(h.ctx, [delivered((await claimAndDie())[0]!)]);
    const [before] = await h.deliveries(id);
    await redeliver(h.ctx, h.projectId, id, before!.id);
    const again = delivered((await claimAndDie())[0]!);
    expect(again.lease.epoch).toBe(stale.lease.epoch);

    expect((await recordAttempts(h.ctx, [stale])).lost).toEqual([stale]);
    expect((await recordAttempts(h.ctx, [again])).lost).toEqual([]);
    const [delivery] = await h.deliveries(id);
    expect(delivery!.attempts.map(({ round, outcome }) => [round, outcome])).toEqual([
      [0, 'interrupted'],
      [0, 'delivered'],
      [1, 'delivered'],
    ]);
  });
});

describe('an attempt that the database refuses to record', () => {
  /** Refuses the attempts of a webhook, in every batch. */
  async function refuseAttempts(webhookId: string): Promise<() => Promise<unknown>> {
    await h.database.pool.query(`
      CREATE FUNCTION refuse_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM webhook_deliveries WHERE id = NEW.delivery_id AND webhook_id = '${webhookId}') THEN
          RAISE EXCEPTION 'refused' USING ERRCODE = '22021';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse_attempt BEFORE INSERT ON webhook_attempts FOR EACH ROW EXECUTE FUNCTION refuse_attempt()`);
    return () => h.database.pool.query('DROP FUNCTION refuse_attempt CASCADE');
  }
  const expiries = async (webhookId: string) => {
    const text = `SELECT leased_until > now() + interval '30 minutes' AS "isLate" FROM webhook_lanes WHERE webhook_id = $1`;
    return (await h.database.pool.query<{ isLate: boolean }>(text, [webhookId])).rows;
  };

  it('delays no other, and is tried again when its lease has expired', async () => {
    const [bad, good] = [await h.startReceiver(), await h.startReceiver()];
    const { id: badId } = await h.createWebhook(bad.url);
    const { id: goodId } = await h.createWebhook(good.url);
    const accept = await refuseAttempts(badId);
    const worker = h.startWorker({ pollMs: 20 });
    await h.emit({}, {});
    await bad.waitForCount(2);
    await h.emit({}, {});
    await h.waitForStatus(goodId, 'delivered', 4);
    expect((await h.deliveries(badId)).filter(({ status }) => status === 'delivered')).toEqual([]);

    // An interrupted attempt of a crashed worker is refused, too: it is put aside.
    await expireLeases();
    await waitUntil(async () => (await expiries(badId)).filter(({ isLate }) => isLate).length > 0, {
      what: 'the delay',
    });
    await h.emit({});
    await h.waitForStatus(goodId, 'delivered', 5);
    await accept();
    await expireLeases();
    await h.waitForStatus(badId, 'delivered', 5);
    await worker.stop();
  });
});

describe('a worker that stops', () => {
  it('lets the running attempt end and records it', async () => {
    const receiver = await h.startReceiver();
    receiver.answerWith({ delayMs: 100 });
    const { id } = await h.createWebhook(receiver.url);
    const worker = h.startWorker({ drainMs: 5_000 });
    await h.emit({});
    await receiver.waitForCount(1);
    await worker.stop();
    expect((await h.deliveries(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 1 });
  });

  it('aborts an attempt that outlasts the drain and makes the delivery due at once', async () => {
    const receiver = await h.startReceiver();
    receiver.answerNext({ hang: true });
    const { id } = await h.createWebhook(receiver.url);
    const worker = h.startWorker({ drainMs: 50 });
    await h.emit({});
    await receiver.waitForCount(1);
    await worker.stop();
    expect((await h.deliveries(id))[0]).toMatchObject({ status: 'pending', attemptCount: 1 });
    const next = h.startWorker();
    await h.waitForStatus(id, 'delivered');
    await next.stop();
  });
});

describe('a pair of workers on one database', () => {
  it('makes each delivery once', async () => {
    const receiver = await h.startReceiver();
    const { id } = await h.createWebhook(receiver.url);
    const workers = [h.startWorker({ pollMs: 20 }), h.startWorker({ pollMs: 20 })];
    const events = await h.emit(...Array.from({ length: 300 }, () => ({})));
    await h.waitForStatus(id, 'delivered', events.length, 150_000);
    const arrived = receiver.deliveries.map((delivery) => parseDelivery(delivery).event_id);
    expect(arrived).toHaveLength(events.length);
    expect(new Set(arrived)).toEqual(new Set(events.map((event) => event.id)));
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it("keeps the endpoint's concurrency limit together", async () => {
    const receiver = await h.startReceiver();
    let inAir = 0;
    let most = 0;
    receiver.answerWith(() => {
      most = Math.max(most, ++inAir);
      setTimeout(() => inAir--, 20);
      return { delayMs: 20 };
    });
    const { id } = await h.createWebhook(receiver.url);
    const limits = { pollMs: 10, perEndpoint: 3 };
    const workers = [h.startWorker(limits), h.startWorker(limits)];
    await h.emit(...Array.from({ length: 40 }, () => ({})));
    await h.waitForStatus(id, 'delivered', 40);
    expect(most).toBeLessThanOrEqual(3);
    await waitUntil(() => inAir === 0, { what: 'the last answer' });
    await Promise.all(workers.map((worker) => worker.stop()));
  });
});
