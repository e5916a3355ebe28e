import { KeyRing } from '@tollgate/postgres';
import { backoffMs, elapsed, LeasePool, type LeaseQueue, type Logger, type Stoppable } from '@tollgate/runtime';
import type { Context } from '../context.js';
import {
  type AttemptReport,
  type ClaimedDelivery,
  type FreeSlots,
  retrySchedules,
} from '../domain/webhooks/delivery.js';
import {
  attemptDelivery,
  claimDeliveries,
  reclaimExpired,
  recordAttempts,
} from '../operations/webhooks/deliver-events.js';

type WorkerContext = Pick<Context, 'clock' | 'endpoints' | 'keyring' | 'limits' | 'logger' | 'metrics' | 'queuePool'>;

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

const REPORTS_PER_BATCH = 500;
const RETRY = { minMs: 200, maxMs: 5_000 };

interface Waiting {
  report: AttemptReport;
  done: () => void;
}

interface AttemptRecorder {
  /** Resolves when the report is recorded, refused by the database, or dropped because `stop` was called. */
  record(report: AttemptReport): Promise<void>;
  /** Resolves when every added report is recorded, refused by the database, or dropped because `stop` was called. */
  drained(): Promise<void>;
  /** Stops retrying after database errors; the remaining deliveries are reclaimed when their leases expire. */
  stop(): void;
}

/**
 * Records finished attempts one batch at a time. Attempts that end while a batch is being written form the next one, so
 * batches grow with the load. The deliveries of reports that the database refuses are reclaimed when their leases expire.
 */
function createAttemptRecorder(ctx: Pick<Context, 'queuePool' | 'logger' | 'metrics'>): AttemptRecorder {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let isStopped = false;
  let failures = 0;

  async function run(): Promise<void> {
    // Batches the attempts that end in the same iteration of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.splice(0, REPORTS_PER_BATCH);
      const isRecorded = await tryRecord(batch.map(({ report }) => report));
      if (isRecorded || isStopped) for (const { done } of batch) done();
      if (!isRecorded && isStopped) for (const { done } of waiting.splice(0)) done();
      if (!isRecorded && !isStopped) {
        waiting = [...batch, ...waiting];
        await new Promise((resolve) => setTimeout(resolve, backoffMs(failures, RETRY)));
      }
    }
  }

  async function tryRecord(batch: readonly AttemptReport[]): Promise<boolean> {
    try {
      const { lost, disabled } = await recordAttempts(ctx, batch);
      logExceptions(ctx.logger, lost, disabled);
      if (lost.length > 0) ctx.metrics.leaseLost.add(lost.length);
      failures = 0;
      return true;
    } catch (err) {
      failures += 1;
      ctx.logger.error({ err, attempts: batch.length, failures }, 'attempts not recorded; retrying');
      return false;
    }
  }

  function start(): void {
    if (running || waiting.length === 0) return;
    running = run().finally(() => {
      running = undefined;
      start();
    });
  }

  return {
    record(report) {
      return new Promise((done) => {
        waiting.push({ report, done });
        start();
      });
    },
    async drained() {
      while (running) await running;
    },
    stop() {
      isStopped = true;
    },
  };
}

function logExceptions(
  logger: Logger,
  lost: readonly AttemptReport[],
  disabled: readonly { webhookId: string; disable: string | undefined }[],
): void {
  for (const { lease } of lost) {
    logger.warn({ delivery_id: lease.deliveryId, attempt: lease.attempt }, 'lease lost before the report');
  }
  for (const { webhookId, disable } of disabled) {
    logger.warn({ webhook_id: webhookId, reason: disable }, 'webhook disabled');
  }
}

/**
 * Logs one failed attempt in one line; a delivered one only at the level debug. Omits the URL's path and query, which may
 * hold secrets.
 */
function logAttempt(logger: Logger, claim: ClaimedDelivery, report: AttemptReport): void {
  const { lease, endpoint, eventId, eventType, queuedAt } = claim;
  const { verdict } = report;
  const isDelivered = verdict.outcome === 'delivered';
  if (!logger.isLevelEnabled(isDelivered ? 'debug' : 'info')) return;
  logger[isDelivered ? 'debug' : 'info'](
    {
      project_id: endpoint.projectId,
      webhook_id: lease.webhookId,
      delivery_id: lease.deliveryId,
      event_id: eventId,
      event_type: eventType,
      endpoint_host: new URL(endpoint.url).host,
      round: lease.round,
      attempt: lease.attempt,
      outcome: report.isInterrupted ? 'interrupted' : verdict.outcome,
      response_status: report.responseStatus,
      latency_ms: report.latencyMs,
      since_queued_ms: report.startedAt.getTime() - queuedAt.getTime(),
      ...(verdict.outcome !== 'delivered' && { error: verdict.error }),
      ...(verdict.outcome === 'retry' && { retry_in_ms: verdict.delayMs }),
    },
    isDelivered ? 'webhook delivered' : 'webhook attempt failed',
  );
}
