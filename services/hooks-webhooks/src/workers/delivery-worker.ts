import { KeyRing } from '@tollgate/postgres';
import { elapsed, LeasePool, type LeaseQueue, type Stoppable } from '@tollgate/runtime';
import type { Context } from '../context.js';
import type { FreeSlots } from '../domain/webhooks/allot-slots.js';
import type { ClaimedDelivery } from '../domain/webhooks/delivery.js';
import { retrySchedules } from '../domain/webhooks/retry-policy.js';
import { attemptDelivery } from '../operations/webhooks/attempt-delivery.js';
import { claimDeliveries } from '../operations/webhooks/claim-deliveries.js';
import { reclaimExpired } from '../operations/webhooks/reclaim-expired.js';
import { createAttemptRecorder } from './attempt-recorder.js';
import { logAttempt } from './log-attempt.js';

export type WorkerContext = Pick<
  Context,
  'clock' | 'endpoints' | 'keyring' | 'limits' | 'logger' | 'metrics' | 'queuePool'
>;

/** Joins wake-ups, so that many of them make few, larger claims. */
const SPACING_MS = 3;

export interface DeliveryWorker extends Stoppable {
  /** Call it when deliveries were queued. */
  wake(): void;
  /** Starts no further attempts, lets running ones end within the drain time, aborts the rest and records all. */
  stop(): Promise<void>;
}

/**
 * Claims as many due deliveries as it has free slots, makes the attempts concurrently and records them in batches. It
 * wakes up when deliveries are queued, when a slot becomes free and when the next retry is due; polling covers
 * deliveries that other processes queued.
 */
export function startDeliveryWorker(ctx: WorkerContext): DeliveryWorker {
  const recorder = createAttemptRecorder(ctx);
  const pool = createDeliveryPool(ctx, async (claim, signal) => {
    const report = await attemptDelivery(ctx, claim, signal);
    logAttempt(ctx.logger, claim, report);
    ctx.metrics.attempted(report);
    await recorder.record(report);
  });
  pool.start();
  return {
    wake: () => pool.wake(),
    async stop() {
      await pool.stop();
      recorder.stop();
      await recorder.drained();
    },
  };
}

/** The attempts of this process. `attempt` resolves when its outcome is recorded; a lease that it leaves is reclaimed when it ends. */
export function createDeliveryPool(
  ctx: Pick<WorkerContext, 'clock' | 'limits' | 'logger' | 'metrics' | 'queuePool'>,
  attempt: (claim: ClaimedDelivery, signal: AbortSignal) => Promise<void>,
): LeasePool<ClaimedDelivery, ClaimedDelivery> {
  const { logger, limits } = ctx;
  const { concurrency, pollMs, drainMs, leaseMarginMs } = limits;
  return new LeasePool<ClaimedDelivery, ClaimedDelivery>({
    queue: createDeliveryQueue(ctx, attempt),
    logger,
    slots: concurrency,
    leaseMs: ({ endpoint }) => retrySchedules[endpoint.retrySchedule].timeoutMs + leaseMarginMs,
    heartbeatMs: pollMs,
    pollMs,
    drainMs,
    spacingMs: SPACING_MS,
    claimsAfterEach: true,
  });
}

function createDeliveryQueue(
  ctx: Pick<WorkerContext, 'clock' | 'limits' | 'logger' | 'metrics' | 'queuePool'>,
  attempt: (claim: ClaimedDelivery, signal: AbortSignal) => Promise<void>,
): LeaseQueue<ClaimedDelivery, ClaimedDelivery> {
  const ring = new KeyRing();
  let reclaimAt = 0;
  return {
    name: 'deliveries',
    // A delivery whose lease was lost may be running twice.
    toKey: (claim) => claim,
    toFields: ({ lease }) => ({ delivery_id: lease.deliveryId, attempt: lease.attempt }),
    async claim(held, { max, isFirst }) {
      if (isFirst) {
        ring.startRound();
        if (elapsed() >= reclaimAt) {
          await reclaimExpired(ctx);
          reclaimAt = elapsed() + ctx.limits.pollMs;
        }
      }
      const claim = await claimDeliveries(ctx, ring.next, countFree(held, max, ctx.limits.concurrency));
      return { ...claim, items: claim.deliveries, hasMore: ring.advance(claim.next) };
    },
    run: attempt,
    // The database records each attempt, and has the pause before the next one.
    putBack: async () => 0,
  };
}

/** Failing endpoints together have at most half of the slots. */
function countFree(held: readonly ClaimedDelivery[], total: number, slots: number): FreeSlots {
  const failing = held.filter(({ isEndpointFailing }) => isEndpointFailing).length;
  return { total, failing: Math.ceil(slots / 2) - failing };
}
