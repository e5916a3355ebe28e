import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, INTERNAL_ERROR_MESSAGE, isAppError, isTransientError } from '@tollgate/errors';
import { hasCode, LOCK_NOT_AVAILABLE } from '@tollgate/postgres';
import { elapsed, type Logger } from '@tollgate/runtime';
import type { LedgerMetrics } from '../metrics.js';
import type { Connection } from '../store/database.js';
import type { WriterConnection } from './writer-connection.js';
import {
  giveUp,
  isAbandoned,
  isLate,
  type LockedTenants,
  type Queued,
  type WriterItem,
  type WriterQueue,
} from './writer-queue.js';

/** Pause between attempts of a batch while the database is unavailable. */
const RETRY_PAUSE_MS = 50;

/** While the database is unavailable, failures are logged this often. */
const LOG_PAUSE_MS = 5_000;

export type Run<I, R> = (client: Connection, items: I[]) => Promise<R[]>;

/** One kind of item: its queue, and the ways to write a batch of it. */
export interface Work<I extends WriterItem, R> {
  queue: WriterQueue<I, R>;
  /** Writes a batch at once. Safe to repeat. */
  together: Run<I, R>;
  /** Writes items separately after a failed batch; recognizes what is already written. */
  apart: Run<I, R>;
  /** Ends an item whose write can never succeed. */
  giveUp?: Run<I, R>;
  /** Whether an item must be written even if its caller no longer waits. */
  isOwed: boolean;
  batches?: ReturnType<LedgerMetrics['bindBatch']>;
}

/** Runs batches of the ledger writer and answers their items, including those of failed batches. */
export class BatchRunner {
  readonly #locked: LockedTenants;
  readonly #logger: Logger;
  #loggedMs = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  constructor(locked: LockedTenants, logger: Logger) {
    this.#locked = locked;
    this.#logger = logger;
  }

  /** Writes a batch and answers its items. Puts items of a locked tenant back into their queue. */
  async run<I extends WriterItem, R>(
    work: Work<I, R>,
    batch: Queued<I, R>[],
    connection: WriterConnection,
    first = work.together,
  ): Promise<void> {
    let run = first;
    let waiting = batch;
    while (waiting.length > 0) {
      try {
        const client = await connection.client();
        const startedAt = elapsed();
        const results = await run(client, toItems(waiting));
        connection.noteSuccess();
        this.#finish(work, waiting, results, startedAt);
        return;
      } catch (error) {
        const isLost = await connection.isLost(error);
        if (!isLost && hasCode(error, LOCK_NOT_AVAILABLE)) return this.#separateTenants(work, waiting, connection);
        if (!isLost && !isTransientError(error)) return this.#isolate(work, waiting, { run, connection, error });
        this.#logFailure(error, waiting.length);
        run = work.apart;
        waiting = withoutLate(work, waiting);
        await sleep(RETRY_PAUSE_MS);
      }
    }
  }

  /**
   * Writes two batches of different kinds at once. A part that `together` leaves out is written separately, and so are both
   * after any failure.
   */
  async runBoth<I extends WriterItem, R, J extends WriterItem, S>(
    [work, batch]: [Work<I, R>, Queued<I, R>[]],
    [otherWork, otherBatch]: [Work<J, S>, Queued<J, S>[]],
    connection: WriterConnection,
    together: (client: Connection, items: I[], otherItems: J[]) => Promise<[R[] | undefined, S[] | undefined]>,
  ): Promise<void> {
    let rest = batch;
    let otherRest = otherBatch;
    try {
      const client = await connection.client();
      const startedAt = elapsed();
      const [results, otherResults] = await together(client, toItems(batch), toItems(otherBatch));
      connection.noteSuccess();
      if (results) this.#finish(work, batch, results, startedAt);
      if (otherResults) this.#finish(otherWork, otherBatch, otherResults, startedAt);
      if (results) rest = [];
      if (otherResults) otherRest = [];
    } catch (error) {
      await connection.isLost(error);
      this.#logger.warn(
        { err: error, items: batch.length + otherBatch.length },
        'ledger batches failed; separating them',
      );
      rest = withoutLate(work, batch);
    }
    await this.run(work, rest, connection);
    // The first part may have taken long, and may have met locked rows.
    otherRest = withoutLate(otherWork, otherRest);
    const isLocked = ({ item }: { item: J }): boolean => this.#locked.has(item.ownerAccountId);
    otherWork.queue.putBack(otherRest.filter(isLocked));
    await this.run(
      otherWork,
      otherRest.filter((queued) => !isLocked(queued)),
      connection,
    );
  }

  #logFailure(error: unknown, items: number): void {
    const nowMs = elapsed();
    if (nowMs - this.#loggedMs < LOG_PAUSE_MS) {
      this.#unlogged += 1;
      return;
    }
    this.#logger.warn({ err: error, items, more_failures: this.#unlogged }, 'ledger batch failed; retrying');
    this.#loggedMs = nowMs;
    this.#unlogged = 0;
  }

  #finish<I extends WriterItem, R>(
    work: Work<I, R>,
    batch: readonly Queued<I, R>[],
    results: readonly R[],
    startedAt: number,
  ): void {
    work.batches?.items.record(batch.length);
    for (const { queuedAt } of batch) work.batches?.wait.record((startedAt - queuedAt) / 1_000);
    if (this.#locked.size > 0) for (const { item } of batch) this.#locked.delete(item.ownerAccountId);
    batch.forEach((queued, i) => {
      queued.resolve(results[i] as R);
    });
  }

  /** Splits a batch that met a locked row: each tenant runs separately, and only the locked tenant waits. */
  async #separateTenants<I extends WriterItem, R>(
    work: Work<I, R>,
    batch: Queued<I, R>[],
    connection: WriterConnection,
  ): Promise<void> {
    const tenants = new Set(batch.map(({ item }) => item.ownerAccountId));
    if (tenants.size > 1) {
      for (const tenant of tenants) {
        const group = batch.filter(({ item }) => item.ownerAccountId === tenant);
        await this.run(work, group, connection);
      }
      return;
    }
    const tenant = batch[0]?.item.ownerAccountId ?? '';
    this.#locked.add(tenant, elapsed());
    this.#logger.warn({ owner_account_id: tenant, items: batch.length }, 'tenant rows locked; its items wait');
    work.queue.putBack(batch);
  }

  /** Runs each item alone after a statement error, so that one bad item does not fail its neighbors. */
  async #isolate<I extends WriterItem, R>(
    work: Work<I, R>,
    batch: Queued<I, R>[],
    { run, connection, error }: { run: Run<I, R>; connection: WriterConnection; error: unknown },
  ): Promise<void> {
    if (batch.length > 1) {
      for (const queued of batch) await this.run(work, [queued], connection, work.apart);
      return;
    }
    // A single item may have conflicted with a row that another replica just wrote; the next run sees that row.
    if (run !== work.apart && run !== work.giveUp) return this.run(work, batch, connection, work.apart);
    const [queued] = batch;
    this.#logger.error({ err: error, hold_id: queued?.item.holdId }, 'ledger item failed');
    if (work.giveUp && run !== work.giveUp) return this.run(work, batch, connection, work.giveUp);
    queued?.reject(isAppError(error) ? error : permanentFailure(error));
  }
}

function toItems<I extends WriterItem, R>(batch: readonly Queued<I, R>[]): I[] {
  return batch.map((queued) => queued.item);
}

/** Gives up the items that need not be written because their callers no longer wait; returns the others. */
function withoutLate<I extends WriterItem, R>(work: Work<I, R>, batch: Queued<I, R>[]): Queued<I, R>[] {
  const isOver: (queued: Queued<I, R>) => boolean = work.isOwed ? isLate : isAbandoned;
  giveUp(batch.filter(isOver), work.batches?.wait);
  return batch.filter((queued) => !isOver(queued));
}

/** Returns an error that is marked as not retryable. */
function permanentFailure(cause: unknown): AppError {
  return new AppError('INTERNAL_ERROR', INTERNAL_ERROR_MESSAGE, { retryable: false, cause });
}
