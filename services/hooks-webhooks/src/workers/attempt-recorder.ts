import { backoffMs, type Logger } from '@tollgate/runtime';
import type { Context } from '../context.js';
import type { AttemptReport } from '../domain/webhooks/delivery.js';
import { recordAttempts } from '../operations/webhooks/record-attempts.js';

const REPORTS_PER_BATCH = 500;
const RETRY = { minMs: 200, maxMs: 5_000 };

interface Waiting {
  report: AttemptReport;
  done: () => void;
}

export interface AttemptRecorder {
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
export function createAttemptRecorder(ctx: Pick<Context, 'queuePool' | 'logger' | 'metrics'>): AttemptRecorder {
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
