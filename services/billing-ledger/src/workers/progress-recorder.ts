import { AppError } from '@tollgate/errors';
import type { Pool } from '../store/database.js';
import { type ProgressReport, recordProgress, recordProgressTogether } from '../store/holds/open-holds.js';

/** Holds per statement: a statement of this size takes a few milliseconds. */
const BATCH_MAX = 256;
/** Reports that may wait; the sender of a refused one repeats it with its next heartbeat. */
const WAITING_MAX = 20_000;

interface Waiting {
  report: ProgressReport;
  resolve(isOpen: boolean): void;
  reject(error: unknown): void;
}

/**
 * Records the progress of running requests, one batch at a time. Thousands of streams report within the same milliseconds:
 * statements of their own would take all connections of the pool, and other requests would wait behind them.
 */
export class ProgressRecorder {
  readonly #pool: Pool;
  readonly #ttlMs: number;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(pool: Pool, ttlMs: number) {
    this.#pool = pool;
    this.#ttlMs = ttlMs;
  }

  /** Returns whether the hold is open. */
  record(report: ProgressReport): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= WAITING_MAX) {
        reject(new AppError('SERVICE_UNAVAILABLE', 'the ledger has too many waiting reports of progress'));
        return;
      }
      this.#waiting.push({ report, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    // Lets the other reports of this turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#record(this.#waiting.splice(0, BATCH_MAX));
    this.#running = undefined;
  }

  async #record(batch: readonly Waiting[]): Promise<void> {
    // Each hold once: a statement changes a row once, with any of the values that it finds.
    const first = new Map<string, Waiting>();
    const others: Waiting[] = [];
    for (const each of batch) {
      if (first.has(each.report.holdId)) others.push(each);
      else first.set(each.report.holdId, each);
    }
    try {
      const reports = [...first.values()].map(({ report }) => report);
      const recorded = await recordProgressTogether(this.#pool, reports, this.#ttlMs);
      for (const [holdId, each] of first) {
        if (recorded.has(holdId)) each.resolve(true);
        else others.push(each);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    // Ended or locked holds, and repeats. Not awaited: a locked row must not delay the next batch.
    for (const { report, resolve, reject } of others) {
      recordProgress(this.#pool, report, this.#ttlMs).then(resolve, reject);
    }
  }
}
