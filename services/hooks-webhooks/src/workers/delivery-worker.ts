import { setMaxListeners } from 'node:events';
import { KeyRing } from '@tollgate/postgres';
import { createLoop, elapsed, type Stoppable } from '@tollgate/runtime';
import type { Context } from '../context.js';
import type { ClaimedDelivery } from '../domain/webhooks/delivery.js';
import { attemptDelivery } from '../operations/webhooks/attempt-delivery.js';
import { claimDeliveries } from '../operations/webhooks/claim-deliveries.js';
import { reclaimExpired } from '../operations/webhooks/reclaim-expired.js';
import { createAttemptRecorder } from './attempt-recorder.js';
import { logAttempt } from './log-attempt.js';
import { createSlots } from './slots.js';

type WorkerContext = Pick<Context, 'clock' | 'endpoints' | 'keyring' | 'limits' | 'logger' | 'metrics' | 'queuePool'>;

/** Coalesces wake-ups, so that many of them make few, larger claims. */
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
  const { limits, logger } = ctx;
  const slots = createSlots(limits.concurrency);
  const inAir = new Set<Promise<void>>();
  const cut = new AbortController();
  setMaxListeners(limits.concurrency + 1, cut.signal); // one per running attempt
  const ring = new KeyRing();
  let dueTimer: NodeJS.Timeout | undefined;
  let reclaimAt = 0;

  const recorder = createAttemptRecorder(ctx, (reports) => {
    for (const { lease } of reports) slots.release(lease);
    loop.wake();
  });

  async function attempt(claim: ClaimedDelivery): Promise<void> {
    const report = await attemptDelivery(ctx, claim, cut.signal);
    logAttempt(logger, claim, report);
    ctx.metrics.attempted(report);
    recorder.add(report);
  }

  function begin(claim: ClaimedDelivery): void {
    slots.take(claim.lease, claim.isEndpointFailing);
    const running: Promise<void> = attempt(claim).finally(() => inAir.delete(running));
    inAir.add(running);
  }

  /** Visits the ring of endpoints once, or until the slots are full. Returns the time until the next retry is due. */
  async function claimRound(stopping: AbortSignal): Promise<number> {
    let nextDueInMs = Number.POSITIVE_INFINITY;
    ring.startRound();
    for (let hasMore = true; hasMore && !stopping.aborted && slots.free().total > 0; ) {
      const claim = await claimDeliveries(ctx, ring.next, slots.free());
      hasMore = ring.advance(claim.next);
      nextDueInMs = Math.min(nextDueInMs, claim.nextDueInMs ?? Number.POSITIVE_INFINITY);
      if (claim.hasSkipped) loop.wake();
      claim.deliveries.forEach(begin);
    }
    return nextDueInMs;
  }

  async function pass(stopping: AbortSignal): Promise<void> {
    clearTimeout(dueTimer);
    if (elapsed() >= reclaimAt) {
      await reclaimExpired(ctx);
      reclaimAt = elapsed() + limits.pollMs;
    }
    const dueMs = await claimRound(stopping);
    if (dueMs < limits.pollMs && !stopping.aborted) dueTimer = setTimeout(() => loop.wake(), Math.ceil(dueMs) + 1);
  }

  const loop = createLoop({
    name: 'webhook deliveries',
    intervalMs: limits.pollMs,
    spacingMs: SPACING_MS,
    run: pass,
    logger,
  });

  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      clearTimeout(dueTimer);
      const cutTimer = setTimeout(() => cut.abort(), limits.drainMs);
      await Promise.all(inAir);
      clearTimeout(cutTimer);
      recorder.stop();
      await recorder.drained();
    },
  };
}
