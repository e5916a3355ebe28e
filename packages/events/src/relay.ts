import { setTimeout as sleep } from 'node:timers/promises';
import { createLoop, elapsed, type Logger, type Stoppable } from '@tollgate/runtime';
import type pg from 'pg';
import type { EventRecord } from './event.js';
import { outboxBacklog } from './outbox.js';
import { createOutboxFloor } from './outbox-floor.js';
import { hasUnpublished, markPublished, readUnpublished, removePublished } from './outbox-rows.js';
import { createRelayLease } from './relay-lease.js';
import type { EventTransport, OutboxMover } from './transport.js';

export interface RelayOptions {
  /** Connections to the schema that holds the outbox. */
  pool: pg.Pool;
  schema: string;
  /** `ce_source` of the published events: `/tollgate/<service>`. */
  source: string;
  /** Already started. */
  transport: EventTransport;
  logger: Logger;
  /**
   * Makes a second record of an event, for consumers of the broker alone: those of the embedded transport read the event itself.
   */
  companion?: ((event: EventRecord) => EventRecord | undefined) | undefined;
  /** Rows per pass. Default 1000. */
  batchMax?: number;
  /** Longest delay when no wake-up arrives. Default 1 s. */
  pollMs?: number;
  /** Minimum time between passes: combines the wake-ups of many commits. Default 20 ms. */
  spacingMs?: number;
  /** Minimum time between passes that have much to move. Default 100 ms. */
  busySpacingMs?: number;
  /** How long another replica waits after this one was killed. Default 10 s. */
  leaseMs?: number;
  /** How often the whole outbox is read instead of its new end. Default 10 s. */
  sweepMs?: number;
  /** How long published rows are kept. Default 24 h. */
  retentionMs?: number;
}

export interface Relay extends Stoppable {
  /** Call it after a commit that appended events. Cheap: many calls are combined into one pass. */
  wake(): void;
  /** Resolves when nothing unpublished is left; for tests and tools. Rejects after `timeoutMs` (default 10 s). */
  drain(timeoutMs?: number): Promise<void>;
}

/**
 * Publishes one outbox: unpublished rows (whatever their age: a row that commits late is never skipped) in the order of
 * `seq`, marked after the transport has them. Run it in every replica of the service; a lease lets one work at a time.
 */
export function createRelay(options: RelayOptions): Relay {
  const { pool, schema, source, transport, logger, batchMax = 1000, retentionMs = 86_400_000 } = options;
  const { busySpacingMs = 100 } = options;
  const floor = createOutboxFloor(options.sweepMs);
  const lease = createRelayLease(pool, options.leaseMs ?? 10_000);
  let mover: OutboxMover | null | undefined;

  async function pass(signal: AbortSignal, isPoll: boolean): Promise<boolean> {
    if (mover === undefined) mover = (await transport.openMover?.({ pool, schema, source, floor })) ?? null;
    // Most polls find nothing, and a pass costs several statements.
    if (isPoll && !(await hasUnpublished(pool))) return false;
    const rows = mover ? await mover(batchMax) : await publishBatch();
    // More rows share the fixed cost of the next pass. A row that comes after a pause does not wait.
    if (rows >= BUSY_ROWS && rows < batchMax) await sleep(busySpacingMs, undefined, { signal }).catch(() => undefined);
    return rows === batchMax;
  }

  /** Publishes the next rows and returns how many. */
  async function publishBatch(): Promise<number> {
    if (!(await lease.hold())) return 0;
    const { rows, oldestRunning } = await readUnpublished(pool, source, floor.start(), batchMax);
    const isComplete = rows.length < batchMax;
    if (rows.length > 0) await transport.publish(rows.flatMap(({ event }) => withCompanion(event)));
    const laterTransaction = rows.length > 0 ? await markPublished(pool, rows, lease) : undefined;
    if (rows.length > 0 && laterTransaction === undefined) {
      lease.forget();
      logger.warn({ schema }, 'another relay took the outbox over; its events may arrive twice');
      return 0;
    }
    floor.passed({ lastSeq: rows.at(-1)?.seq, isComplete, oldestRunning, laterTransaction });
    return rows.length;
  }

  function withCompanion(event: EventRecord): EventRecord[] {
    const companion = options.companion?.(event);
    return companion ? [event, companion] : [event];
  }

  const publishing = createLoop({
    name: `${schema} outbox relay`,
    intervalMs: options.pollMs ?? 1000,
    spacingMs: options.spacingMs ?? 20,
    run: pass,
    logger,
  });
  const sweeping = createLoop({
    name: `${schema} outbox retention`,
    intervalMs: 60_000,
    run: async () => (await removePublished(pool, retentionMs, sweepMax)) === sweepMax,
    logger,
  });

  return {
    wake: publishing.wake,
    async drain(timeoutMs = 10_000) {
      const deadline = elapsed() + timeoutMs;
      while ((await outboxBacklog(pool)).unpublished > 0) {
        if (elapsed() > deadline) throw new Error(`The outbox was not empty after ${timeoutMs} ms`);
        publishing.wake();
        await sleep(10);
      }
    },
    async stop() {
      await Promise.all([publishing.stop(), sweeping.stop()]);
      // A lease that is not released expires by itself: an unavailable database must not fail the stop.
      if (!mover) await lease.release().catch((err) => logger.warn({ err, schema }, 'outbox lease not released'));
    },
  };
}

const sweepMax = 2000;
/** Rows of a pass from which the outbox counts as busy. */
const BUSY_ROWS = 10;
