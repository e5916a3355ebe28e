import { AppError, isTransientError } from '@tollgate/errors';
import type { Logger, Stoppable } from '@tollgate/runtime';
import type { Pool } from '../store/database.js';
import { type RunWrite, type WrittenRun, writeRuns } from '../store/runs/write-runs.js';

export interface RunWriterOptions {
  pool: Pool;
  logger: Logger;
  /** Statements at the same time. */
  lanes?: number;
  /** Transitions per statement. */
  batchMax?: number;
  /** Waiting transitions; more are refused. */
  queueMax?: number;
}

interface Queued {
  write: RunWrite;
  bytes: number;
  resolve(written: WrittenRun | undefined): void;
  reject(error: unknown): void;
}

/** Enough to share a commit, few enough to keep the wait short. */
const BATCH_MAX = 64;
/** A statement with more is split, except for a single transition. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** A second statement at the same time makes smaller batches, which costs more time than it saves. */
const LANES = 1;
/** More than the slots of a process. */
const QUEUE_MAX = 2_000;
const QUEUE_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Commits the transitions of many runs in one statement. Writes at once while a lane is free; what arrives until then shares the
 * next statement. Expects at most one transition per run at a time.
 */
export class RunWriter implements Stoppable {
  readonly #options: RunWriterOptions;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #starting: Promise<void> | undefined;
  readonly #lanes = new Set<Promise<void>>();
  #isStopped = false;

  constructor(options: RunWriterOptions) {
    this.#options = options;
  }

  /**
   * Resolves after the commit. Returns undefined when the transition was not written, because its draft is out of date, its
   * work is not held, or another transaction has locked them.
   *
   * @throws AppError SERVICE_UNAVAILABLE when too many transitions wait; the error of the statement otherwise
   */
  write(write: RunWrite): Promise<WrittenRun | undefined> {
    return new Promise((resolve, reject) => {
      const bytes = countBytes(write);
      const isFull = this.#queue.length >= (this.#options.queueMax ?? QUEUE_MAX);
      if (this.#isStopped || isFull || this.#queuedBytes + bytes > QUEUE_BYTES_MAX) {
        const reason = this.#isStopped ? 'the engine stops' : 'too many transitions of runs wait for the database';
        reject(new AppError('SERVICE_UNAVAILABLE', reason));
        return;
      }
      this.#queue.push({ write, bytes, resolve, reject });
      this.#queuedBytes += bytes;
      if (this.#freeLanes > 0) this.#starting ??= this.#start();
    });
  }

  /** Writes what waits; refuses what comes later. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#starting || this.#lanes.size > 0) await (this.#starting ?? Promise.all(this.#lanes));
  }

  get #freeLanes(): number {
    return (this.#options.lanes ?? LANES) - this.#lanes.size;
  }

  /** Fills the free lanes. */
  async #start(): Promise<void> {
    // Lets the other transitions of this event-loop iteration join.
    await new Promise((resolve) => setImmediate(resolve));
    this.#starting = undefined;
    while (this.#queue.length > 0 && this.#freeLanes > 0) {
      const lane = this.#writeBatch(this.#takeBatch()).finally(() => {
        this.#lanes.delete(lane);
        if (this.#queue.length > 0) this.#starting ??= this.#start();
      });
      this.#lanes.add(lane);
    }
  }

  /** Takes an equal share for each free lane. */
  #takeBatch(): Queued[] {
    const max = Math.min(this.#options.batchMax ?? BATCH_MAX, Math.ceil(this.#queue.length / this.#freeLanes));
    let bytes = 0;
    let count = 0;
    for (const queued of this.#queue) {
      bytes += queued.bytes;
      if (count === max || (count > 0 && bytes > BATCH_BYTES_MAX)) break;
      count += 1;
    }
    const batch = this.#queue.splice(0, count);
    for (const queued of batch) this.#queuedBytes -= queued.bytes;
    return batch;
  }

  async #writeBatch(batch: readonly Queued[]): Promise<void> {
    const { pool, logger } = this.#options;
    try {
      const written = await writeRuns(
        pool,
        batch.map(({ write }) => write),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(written[index]);
    } catch (error) {
      // After a lost answer it is unknown what was committed: the work is repeated, and then reads its run again.
      if (batch.length === 1 || isTransientError(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      logger.warn({ err: error, runs: batch.length }, 'batch of runs failed; writing each run alone');
      for (const queued of batch) await this.#writeBatch([queued]);
    }
  }
}

function countBytes({ draft, artifacts, steps }: RunWrite): number {
  const events = draft.events.reduce((sum, { body }) => sum + body.length, draft.outputs?.length ?? 0);
  const stored = artifacts.reduce((sum, { bytes }) => sum + bytes, events);
  const requests = steps.dispatched.reduce((sum, { dispatch }) => sum + dispatch.llmRequest.length, stored);
  return steps.ended.reduce((sum, { end }) => sum + (end.llmResponse?.length ?? 0), requests);
}
