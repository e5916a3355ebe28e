import { AppError } from '@tollgate/errors';
import { elapsed, type Logger, type Standstill } from '@tollgate/runtime';
import type { LedgerMetrics } from '../metrics.js';
import { type AdmitItem, type AdmitResult, admitOneByOne, admitTogether } from '../operations/holds/admit-batch.js';
import { type ExtendItem, type ExtendResult, extendTogether } from '../operations/holds/extend-batch.js';
import { settleAndAdmit, settleInDoubt, settleOneByOne, settleTogether } from '../operations/holds/settle-batch.js';
import type { SettleItem, SettleResult } from '../operations/holds/settle-item.js';
import { BatchRunner, type Work } from './batch-runner.js';
import type { WriterConnection } from './writer-connection.js';
import {
  giveUp,
  isAbandoned,
  isLate,
  LockedTenants,
  type Queued,
  refuse,
  type WriterCaller,
  type WriterItem,
  WriterQueue,
} from './writer-queue.js';

/** Maximum items per transaction: enough to share an fsync, few enough to keep the wait short. */
const BATCH_MAX = 256;
/** Maximum waiting items per kind; more are refused. */
const QUEUE_MAX = 20_000;
/** Queue length at which items of locked tenants are refused, so that other tenants find room. */
const LOCKED_QUEUE_MAX = QUEUE_MAX / 2;
/** Pause between checks of a queue in which no item can be tried yet. */
const REST_MS = 25;

export interface LedgerWriterParts {
  connection: WriterConnection;
  /** Writes the items of locked tenants, and waits for their locks. */
  aside: WriterConnection;
  standstill: Standstill;
  logger: Logger;
  metrics: LedgerMetrics;
}

/**
 * The only writer of holds and charges in this process. All waiting items share one transaction and its commit when the
 * connection becomes free. Settlements go first because they free funds, then extensions of open holds, then admissions;
 * settlements and admissions are one statement if possible. Each process may have a writer: the row locks of the accounts
 * keep them exact.
 *
 * A tenant whose rows stay locked by another transaction moves to a second connection until it gets its locks, so that no
 * other tenant waits for it.
 */
export class LedgerWriter {
  readonly #connection: WriterConnection;
  /** The second connection, which waits for rows of locked tenants. */
  readonly #aside: WriterConnection;
  readonly #standstill: Standstill;
  readonly #locked = new LockedTenants();
  readonly #batches: BatchRunner;
  readonly #admits: Work<AdmitItem, AdmitResult> = {
    queue: new WriterQueue(),
    together: admitTogether,
    apart: admitOneByOne,
    isOwed: false,
  };
  readonly #extends: Work<ExtendItem, ExtendResult> = {
    queue: new WriterQueue(),
    together: extendTogether,
    apart: extendTogether,
    isOwed: false,
  };
  readonly #settles: Work<SettleItem, SettleResult> = {
    queue: new WriterQueue(),
    together: settleTogether,
    apart: settleOneByOne,
    giveUp: settleInDoubt,
    isOwed: true,
  };
  #pumping: Promise<void> | undefined;
  #waitingAside: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isStopped = false;

  readonly #metrics: LedgerMetrics;

  constructor({ connection, aside, standstill, logger, metrics }: LedgerWriterParts) {
    this.#connection = connection;
    this.#aside = aside;
    this.#standstill = standstill;
    this.#batches = new BatchRunner(this.#locked, logger);
    this.#metrics = metrics;
    this.#admits.batches = metrics.bindBatch('admit');
    this.#settles.batches = metrics.bindBatch('settle');
  }

  admit(item: AdmitItem, caller: WriterCaller): Promise<AdmitResult> {
    return this.#enqueue(this.#admits, item, caller);
  }

  extend(item: ExtendItem, caller: WriterCaller): Promise<ExtendResult> {
    return this.#enqueue(this.#extends, item, caller);
  }

  async settle(item: SettleItem, caller: WriterCaller): Promise<SettleResult> {
    const result = await this.#enqueue(this.#settles, item, caller);
    this.#metrics.settled(item.kind, result);
    return result;
  }

  /** Why nothing can be written; undefined while the writer works. */
  get unavailableReason(): string | undefined {
    return this.#connection.unavailableReason;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pumping;
    await this.#waitingAside;
    await this.#standstill.stop();
    await this.#connection.end();
    await this.#aside.end();
  }

  #enqueue<I extends WriterItem, R>({ queue }: Work<I, R>, item: I, caller: WriterCaller): Promise<R> {
    return new Promise((resolve, reject) => {
      const max = this.#locked.has(item.ownerAccountId) ? LOCKED_QUEUE_MAX : QUEUE_MAX;
      if (this.#isStopped || queue.size >= max) {
        reject(new AppError('SERVICE_UNAVAILABLE', 'the ledger has too many waiting requests'));
        return;
      }
      queue.push({ item, caller, queuedAt: elapsed(), resolve, reject });
      this.#wake?.();
      this.#pumping ??= this.#pump();
    });
  }

  async #pump(): Promise<void> {
    // Lets the other items of this event-loop iteration join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waitingAside || this.#settles.queue.size + this.#extends.queue.size + this.#admits.queue.size > 0) {
      await this.#standstill.over();
      this.#waitingAside ??= this.#runAside();
      const settled = await this.#settleNext();
      const extended = await this.#runNext(this.#extends);
      const admitted = await this.#runNext(this.#admits);
      if (settled || extended || admitted) continue;
      if (this.#isStopped) this.#refuseAll();
      else await this.#rest();
    }
    this.#pumping = undefined;
  }

  /** Waits for a new item, or until a locked tenant may be due. */
  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, REST_MS);
    });
    this.#wake = undefined;
  }

  /** Writes the next settlements, with the next admissions unless an extension waits. Returns false if there were none. */
  async #settleNext(): Promise<boolean> {
    const settles = this.#takeNext(this.#settles);
    const admits = settles.length > 0 && this.#extends.queue.size === 0 ? this.#takeNext(this.#admits) : [];
    if (admits.length > 0) {
      await this.#batches.runBoth([this.#settles, settles], [this.#admits, admits], this.#connection, settleAndAdmit);
    } else if (settles.length > 0) await this.#batches.run(this.#settles, settles, this.#connection);
    return settles.length > 0;
  }

  /** Writes the next batch of a kind. Returns false if there was none. */
  async #runNext<I extends WriterItem, R>(work: Work<I, R>): Promise<boolean> {
    const batch = this.#takeNext(work);
    if (batch.length > 0) await this.#batches.run(work, batch, this.#connection);
    return batch.length > 0;
  }

  #takeNext<I extends WriterItem, R>(work: Work<I, R>): Queued<I, R>[] {
    const { queue } = work;
    if (queue.size === 0) return [];
    const wait = work.batches?.wait;
    if (!work.isOwed) giveUp(queue.take(queue.size, isAbandoned), wait);
    const isOver = (queued: Queued<I, R>): boolean => this.#isLocked(queued) && isLate(queued);
    if (this.#locked.size > 0) giveUp(queue.take(queue.size, isOver), wait);
    return queue.take(BATCH_MAX, (queued) => this.#isReady(work, queued) && !this.#isLocked(queued));
  }

  /** Writes the next batch of a locked tenant whose pause is over, if there is one. */
  #runAside(): Promise<void> | undefined {
    if (this.#locked.size === 0) return undefined;
    const running =
      this.#startAside(this.#settles) ?? this.#startAside(this.#extends) ?? this.#startAside(this.#admits);
    return running?.finally(() => {
      this.#waitingAside = undefined;
    });
  }

  #startAside<I extends WriterItem, R>(work: Work<I, R>): Promise<void> | undefined {
    const now = elapsed();
    const isDue = (queued: Queued<I, R>): boolean =>
      this.#isReady(work, queued) && this.#locked.isDue(queued.item.ownerAccountId, now);
    const tenant = work.queue.find(isDue)?.item.ownerAccountId;
    if (tenant === undefined) return undefined;
    const batch = work.queue.take(BATCH_MAX, (queued) => isDue(queued) && queued.item.ownerAccountId === tenant);
    return this.#batches.run(work, batch, this.#aside);
  }

  /** Delays a settlement until the hold's queued admission is written. Otherwise the admission would leave an open hold. */
  #isReady<I extends WriterItem, R>(work: Work<I, R>, { item }: Queued<I, R>): boolean {
    return !work.isOwed || !this.#admits.queue.has(item.holdId);
  }

  #isLocked<I extends WriterItem>({ item }: { item: I }): boolean {
    return this.#locked.has(item.ownerAccountId);
  }

  #refuseAll(): void {
    for (const { queue } of [this.#settles, this.#extends, this.#admits]) {
      refuse(queue.take(queue.size, () => true));
    }
  }
}
