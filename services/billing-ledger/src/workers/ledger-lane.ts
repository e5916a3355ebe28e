import { AppError } from '@tollgate/errors';
import type { Logger } from '@tollgate/runtime';
import type pg from 'pg';
import { type AdmitItem, type AdmitResult, admitOneByOne, admitTogether } from '../operations/admit-batch.js';
import { type ExtendItem, type ExtendResult, extendTogether } from '../operations/extend-batch.js';
import { settleOneByOne, settleTogether } from '../operations/settle-batch.js';
import type { SettleItem, SettleResult } from '../operations/settle-item.js';
import type { WriterConnection } from './writer-connection.js';

/** Items per transaction: enough to share an fsync, few enough to keep the wait short. */
const BATCH_MAX = 256;
/** Items that may wait; beyond it callers are told to come back instead of growing the queue. */
const QUEUE_MAX = 20_000;
const RETRY_PAUSE_MS = 50;

interface Queued<I, R> {
  item: I;
  deadlineMs: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

type Run<I, R> = (client: pg.Client, items: I[]) => Promise<R[]>;

/**
 * The only writer of holds and charges in this process. Whatever is waiting when the connection is free goes into one
 * transaction, so a commit is shared by all of it and a lone request waits for nobody. Settlements go first: they free
 * funds; then what has begun goes on before anything new begins. Several processes may each have a lane: the accounts' row locks keep them exact.
 */
export class LedgerLane {
  readonly #connection: WriterConnection;
  readonly #logger: Logger;
  #admits: Queued<AdmitItem, AdmitResult>[] = [];
  #extends: Queued<ExtendItem, ExtendResult>[] = [];
  #settles: Queued<SettleItem, SettleResult>[] = [];
  #pumping: Promise<void> | undefined;
  #isStopped = false;
  /** For benchmarks: batches and items so far. */
  readonly stats = { batches: 0, items: 0 };

  constructor(connection: WriterConnection, logger: Logger) {
    this.#connection = connection;
    this.#logger = logger;
  }

  admit(item: AdmitItem, deadlineMs: number): Promise<AdmitResult> {
    return this.#enqueue(this.#admits, item, deadlineMs);
  }

  extend(item: ExtendItem, deadlineMs: number): Promise<ExtendResult> {
    return this.#enqueue(this.#extends, item, deadlineMs);
  }

  settle(item: SettleItem, deadlineMs: number): Promise<SettleResult> {
    return this.#enqueue(this.#settles, item, deadlineMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pumping;
    await this.#connection.end();
  }

  #enqueue<I, R>(queue: Queued<I, R>[], item: I, deadlineMs: number): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped || queue.length >= QUEUE_MAX) {
        reject(new AppError('SERVICE_UNAVAILABLE', 'the ledger cannot take more requests right now'));
        return;
      }
      queue.push({ item, deadlineMs, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  async #pump(): Promise<void> {
    // Let the rest of this event-loop turn join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#settles.length + this.#extends.length + this.#admits.length > 0) {
      if (this.#settles.length > 0)
        await this.#runBatch(this.#settles.splice(0, BATCH_MAX), settleTogether, settleOneByOne);
      if (this.#extends.length > 0)
        await this.#runBatch(this.#extends.splice(0, BATCH_MAX), extendTogether, extendTogether);
      if (this.#admits.length > 0)
        await this.#runBatch(this.#admits.splice(0, BATCH_MAX), admitTogether, admitOneByOne);
    }
    this.#pumping = undefined;
  }

  /** `retry` must be safe to run after `first` may have committed: it recognises what is already written. */
  async #runBatch<I, R>(batch: Queued<I, R>[], first: Run<I, R>, retry: Run<I, R>): Promise<void> {
    this.stats.batches += 1;
    this.stats.items += batch.length;
    let run = first;
    let waiting = batch;
    for (;;) {
      try {
        const client = await this.#connection.client();
        const results = await run(
          client,
          waiting.map((queued) => queued.item),
        );
        waiting.forEach((queued, i) => {
          queued.resolve(results[i] as R);
        });
        return;
      } catch (error) {
        if (!(await this.#connection.isLost(error))) return this.#isolate(waiting, retry, error);
        this.#logger.warn(
          { err: error, items: waiting.length },
          'the ledger lost its connection; trying the batch again',
        );
        run = retry;
        waiting = expire(waiting);
        if (waiting.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
  }

  /** One bad item must not fail its neighbours: after a statement error every item runs alone. */
  async #isolate<I, R>(batch: Queued<I, R>[], retry: Run<I, R>, error: unknown): Promise<void> {
    if (batch.length === 1) {
      this.#logger.error({ err: error }, 'a ledger item failed');
      batch[0]?.reject(error);
      return;
    }
    for (const queued of batch) await this.#runBatch([queued], retry, retry);
  }
}

/** Tells callers whose time is up; an admission that did commit is recognised by its id or ends by expiry. */
function expire<I, R>(batch: Queued<I, R>[]): Queued<I, R>[] {
  const now = Date.now();
  return batch.filter((queued) => {
    if (queued.deadlineMs > now) return true;
    queued.reject(new AppError('SERVICE_UNAVAILABLE', 'the ledger is not reachable'));
    return false;
  });
}
