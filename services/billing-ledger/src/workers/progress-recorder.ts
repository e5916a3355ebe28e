import { AppError } from '@tollgate/errors';
import type { Pool } from '../store/database.js';
import { type ProgressReport, recordProgress, recordProgressTogether } from '../store/holds/hold-progress.js';

/** Holds per statement: a statement of this size takes a few milliseconds. */
const BATCH_MAX = 256;
/** Reports without an answer; the sender of a refused one repeats it with its next heartbeat. */
const PENDING_MAX = 20_000;
/** Locked holds that are waited for at once: the other connections of the pool serve everything else. */
const LOCKED_MAX = 2;

interface Sender {
  resolve(isOpen: boolean): void;
  reject(error: unknown): void;
}

/** The reports of one hold that wait for the same statement, as one. */
interface Waiting {
  report: ProgressReport;
  senders: Sender[];
}

/**
 * Records the progress of running requests, one batch at a time. Thousands of streams report within the same milliseconds:
 * statements of their own would take all connections of the pool, and other requests would wait behind them.
 */
export class ProgressRecorder {
  readonly #pool: Pool;
  readonly #ttlMs: number;
  /** By hold, in the order of their first reports. */
  readonly #waiting = new Map<string, Waiting>();
  /** Of holds that another transaction has locked. */
  readonly #locked = new Map<string, Waiting>();
  #pending = 0;
  #isRunning = false;
  #lockedRunning = 0;

  constructor(pool: Pool, ttlMs: number) {
    this.#pool = pool;
    this.#ttlMs = ttlMs;
  }

  /** Returns whether the hold is open. */
  async record(report: ProgressReport): Promise<boolean> {
    if (this.#pending >= PENDING_MAX)
      throw new AppError('SERVICE_UNAVAILABLE', 'the ledger has too many waiting reports of progress');
    this.#pending++;
    try {
      return await new Promise((resolve, reject) => {
        addTo(this.#waiting, { report, senders: [{ resolve, reject }] });
        if (!this.#isRunning) void this.#run();
      });
    } finally {
      this.#pending--;
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Lets the other reports of this turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.size > 0) await this.#recordBatch(takeFrom(this.#waiting, BATCH_MAX));
    this.#isRunning = false;
  }

  async #recordBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const reports = batch.map(({ report }) => report);
      const { recorded, locked } = await recordProgressTogether(this.#pool, reports, this.#ttlMs);
      for (const each of batch) {
        const { holdId } = each.report;
        if (locked.has(holdId)) addTo(this.#locked, each);
        else for (const { resolve } of each.senders) resolve(recorded.has(holdId));
      }
    } catch (error) {
      for (const { senders } of batch) for (const { reject } of senders) reject(error);
    }
    // Not awaited: a locked row must not delay the next batch.
    while (this.#lockedRunning < LOCKED_MAX && this.#locked.size > 0) void this.#recordLocked();
  }

  /** Waits for the locks of holds, one after the other. */
  async #recordLocked(): Promise<void> {
    this.#lockedRunning++;
    for (let [next] = takeFrom(this.#locked, 1); next; [next] = takeFrom(this.#locked, 1)) {
      const { report, senders } = next;
      try {
        const isOpen = await recordProgress(this.#pool, report, this.#ttlMs);
        for (const { resolve } of senders) resolve(isOpen);
      } catch (error) {
        for (const { reject } of senders) reject(error);
      }
    }
    this.#lockedRunning--;
  }
}

/** Joins reports of the same hold: its progress never decreases. */
function addTo(all: Map<string, Waiting>, { report, senders }: Waiting): void {
  const known = all.get(report.holdId);
  if (!known) {
    all.set(report.holdId, { report, senders });
    return;
  }
  const { inputTokens, outputTokens } = report;
  // Not changed in place: it is the sender's.
  known.report = { ...known.report };
  if (inputTokens > known.report.inputTokens) known.report.inputTokens = inputTokens;
  if (outputTokens > known.report.outputTokens) known.report.outputTokens = outputTokens;
  known.senders.push(...senders);
}

/** Removes the first entries, at most `count`. */
function takeFrom(all: Map<string, Waiting>, count: number): Waiting[] {
  const taken: Waiting[] = [];
  for (const [holdId, each] of all) {
    if (taken.length >= count) break;
    all.delete(holdId);
    taken.push(each);
  }
  return taken;
}
