import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, INTERNAL_ERROR_MESSAGE, isAppError, isTransientError } from '@tollgate/errors';
import type { Logger } from '@tollgate/runtime';
import type pg from 'pg';
import { type AdmitItem, type AdmitResult, admitOneByOne, admitTogether } from '../operations/holds/admit-batch.js';
import { type ExtendItem, type ExtendResult, extendTogether } from '../operations/holds/extend-batch.js';
import { settleInDoubt, settleOneByOne, settleTogether } from '../operations/holds/settle-batch.js';
import type { SettleItem, SettleResult } from '../operations/holds/settle-item.js';
import { LockedTenants } from './locked-tenants.js';
import type { Standstill } from './standstill.js';
import type { WriterConnection } from './writer-connection.js';
import { type WriterCaller, type WriterItem, WriterQueue, type Queued } from './writer-queue.js';

/** Items per transaction: enough to share an fsync, few enough to keep the wait short. */
const BATCH_MAX = 256;
/** Items of one kind that may wait; further ones are refused. */
const QUEUE_MAX = 20_000;
/** The same for a tenant whose rows are locked, so that others find room. */
const LOCKED_QUEUE_MAX = QUEUE_MAX / 2;
/** Between two attempts of a batch that met an unavailable database. */
const RETRY_PAUSE_MS = 50;
/** Between two looks at a queue of which nothing can be tried yet. */
const REST_MS = 25;

const LOCK_TIMEOUT = '55P03';

type Run<I, R> = (client: pg.Client, items: I[]) => Promise<R[]>;

/** One kind of item: its queue, and the ways to write a batch of it. */
interface Work<I extends WriterItem, R> {
  queue: WriterQueue<I, R>;
  /** Writes a batch at once. Safe to repeat. */
  together: Run<I, R>;
  /** Writes its items apart from each other, after a batch has failed; recognizes what is already written. */
  apart: Run<I, R>;
  /** Ends an item whose write can never succeed. */
  giveUp?: Run<I, R>;
  /** Whether an item counts even when its caller no longer waits. */
  isOwed: boolean;
}

/**
 * The only writer of holds and charges in this process. All items that wait when the connection is free share one
 * transaction and its commit. Settlements go first because they free funds, then extensions of what is being served, then
 * admissions. Several processes may each have a lane: the row locks of the accounts keep them exact.
 *
 * A tenant whose rows another transaction keeps locked moves to a connection of its own until it gets its locks, so that
 * no other tenant waits for it.
 */
export class LedgerWriter {
  readonly #connection: WriterConnection;
  /** Waits for the rows of locked tenants. */
  readonly #aside: WriterConnection;
  readonly #standstill: Standstill;
  readonly #logger: Logger;
  readonly #locked = new LockedTenants();
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

  constructor(connection: WriterConnection, aside: WriterConnection, standstill: Standstill, logger: Logger) {
    this.#connection = connection;
    this.#aside = aside;
    this.#standstill = standstill;
    this.#logger = logger;
  }

  admit(item: AdmitItem, caller: WriterCaller): Promise<AdmitResult> {
    return this.#enqueue(this.#admits, item, caller);
  }

  extend(item: ExtendItem, caller: WriterCaller): Promise<ExtendResult> {
    return this.#enqueue(this.#extends, item, caller);
  }

  settle(item: SettleItem, caller: WriterCaller): Promise<SettleResult> {
    return this.#enqueue(this.#settles, item, caller);
  }

  /** Why nothing can be written; undefined while the lane works. */
  get unavailableReason(): string | undefined {
    return this.#connection.unavailableReason;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pumping;
    await this.#waitingAside;
    this.#standstill.stop();
    await this.#connection.end();
    await this.#aside.end();
  }

  #enqueue<I extends WriterItem, R>({ queue }: Work<I, R>, item: I, caller: WriterCaller): Promise<R> {
    return new Promise((resolve, reject) => {
      const max = this.#locked.has(item.ownerAccountId) ? LOCKED_QUEUE_MAX : QUEUE_MAX;
      if (this.#isStopped || queue.size >= max) {
        reject(new AppError('SERVICE_UNAVAILABLE', 'the ledger cannot take more requests right now'));
        return;
      }
      queue.push({ item, caller, resolve, reject });
      this.#wake?.();
      this.#pumping ??= this.#pump();
    });
  }

  async #pump(): Promise<void> {
    // Let the rest of this event-loop turn join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waitingAside || this.#settles.queue.size + this.#extends.queue.size + this.#admits.queue.size > 0) {
      await this.#standstill.over();
      this.#waitingAside ??= this.#runAside();
      const settled = await this.#runNext(this.#settles);
      const extended = await this.#runNext(this.#extends);
      const admitted = await this.#runNext(this.#admits);
      if (settled || extended || admitted) continue;
      if (this.#isStopped) this.#refuseAll();
      else await this.#rest();
    }
    this.#pumping = undefined;
  }

  /** Waits for a new item, or until locked tenants may be due. */
  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, REST_MS);
    });
    this.#wake = undefined;
  }

  /** Writes the next batch of a kind. Returns whether there was one. */
  async #runNext<I extends WriterItem, R>(work: Work<I, R>): Promise<boolean> {
    const { queue } = work;
    if (!work.isOwed) refuse(queue.take(queue.size, isAbandoned));
    if (this.#locked.size > 0) refuse(queue.take(queue.size, (queued) => this.#isLocked(queued) && isLate(queued)));
    const batch = queue.take(BATCH_MAX, (queued) => this.#isReady(work, queued) && !this.#isLocked(queued));
    if (batch.length > 0) await this.#run(work, batch, work.together, this.#connection);
    return batch.length > 0;
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
    const nowMs = Date.now();
    const isDue = (queued: Queued<I, R>): boolean =>
      this.#isReady(work, queued) && this.#locked.isDue(queued.item.ownerAccountId, nowMs);
    const tenant = work.queue.find(isDue)?.item.ownerAccountId;
    if (tenant === undefined) return undefined;
    const batch = work.queue.take(BATCH_MAX, (queued) => isDue(queued) && queued.item.ownerAccountId === tenant);
    return this.#run(work, batch, work.together, this.#aside);
  }

  /** A release waits for the admission of its request: it would find no hold, and the admission would leave one open. */
  #isReady<I extends WriterItem, R>(work: Work<I, R>, { item }: Queued<I, R>): boolean {
    return !work.isOwed || !this.#admits.queue.has(item.holdId);
  }

  #isLocked<I extends WriterItem>({ item }: { item: I }): boolean {
    return this.#locked.has(item.ownerAccountId);
  }

  async #run<I extends WriterItem, R>(
    work: Work<I, R>,
    batch: Queued<I, R>[],
    first: Run<I, R>,
    connection: WriterConnection,
  ): Promise<void> {
    let run = first;
    let waiting = batch;
    while (waiting.length > 0) {
      try {
        const client = await connection.client();
        const items = waiting.map((queued) => queued.item);
        const results = await run(client, items);
        connection.noteSuccess();
        if (this.#locked.size > 0) for (const { ownerAccountId } of items) this.#locked.delete(ownerAccountId);
        waiting.forEach((queued, i) => {
          queued.resolve(results[i] as R);
        });
        return;
      } catch (error) {
        const isLost = await connection.isLost(error);
        if (!isLost && codeOf(error) === LOCK_TIMEOUT) return this.#separateTenants(work, waiting, connection);
        if (!isLost && !isTransientError(error)) return this.#isolate(work, waiting, run, connection, error);
        this.#logger.warn({ err: error, items: waiting.length }, 'a ledger batch failed; trying it again');
        run = work.apart;
        const isOver: (queued: Queued<I, R>) => boolean = work.isOwed ? isLate : isAbandoned;
        refuse(waiting.filter(isOver));
        waiting = waiting.filter((queued) => !isOver(queued));
        await sleep(RETRY_PAUSE_MS);
      }
    }
  }

  /** Some row of the batch is locked: every tenant runs apart, and only the one that the row belongs to waits. */
  async #separateTenants<I extends WriterItem, R>(
    work: Work<I, R>,
    batch: Queued<I, R>[],
    connection: WriterConnection,
  ): Promise<void> {
    const tenants = new Set(batch.map(({ item }) => item.ownerAccountId));
    if (tenants.size > 1) {
      for (const tenant of tenants) {
        const group = batch.filter(({ item }) => item.ownerAccountId === tenant);
        await this.#run(work, group, work.together, connection);
      }
      return;
    }
    const tenant = batch[0]?.item.ownerAccountId ?? '';
    this.#locked.add(tenant, Date.now());
    this.#logger.warn({ owner_account_id: tenant, items: batch.length }, 'rows of a tenant are locked; its items wait');
    work.queue.putBack(batch);
  }

  /** One bad item must not fail its neighbors: after a statement error every item runs alone. */
  async #isolate<I extends WriterItem, R>(
    work: Work<I, R>,
    batch: Queued<I, R>[],
    run: Run<I, R>,
    connection: WriterConnection,
    error: unknown,
  ): Promise<void> {
    if (batch.length > 1) {
      for (const queued of batch) await this.#run(work, [queued], work.apart, connection);
      return;
    }
    // A single item may have met a row that another replica has just written: its own run sees that row.
    if (run !== work.apart && run !== work.giveUp) return this.#run(work, batch, work.apart, connection);
    const [queued] = batch;
    this.#logger.error({ err: error, hold_id: queued?.item.holdId }, 'a ledger item failed');
    if (work.giveUp && run !== work.giveUp) return this.#run(work, batch, work.giveUp, connection);
    queued?.reject(isAppError(error) ? error : permanentFailure(error));
  }

  #refuseAll(): void {
    for (const { queue } of [this.#settles, this.#extends, this.#admits]) {
      refuse(queue.take(queue.size, () => true));
    }
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

/** Asking again cannot help. */
function permanentFailure(cause: unknown): AppError {
  return new AppError('INTERNAL_ERROR', INTERNAL_ERROR_MESSAGE, { retryable: false, cause });
}

type Caller = Pick<Queued<unknown, unknown>, 'caller'>;

function isLate({ caller }: Caller): boolean {
  return caller.deadline <= Date.now();
}

/** The caller has been told otherwise by now: what is held for it would have no owner. */
function isAbandoned(queued: Caller): boolean {
  return queued.caller.isAborted || isLate(queued);
}

/** Nothing was written for these items, or what was written is recognized by its id when the caller asks again. */
function refuse(batch: readonly Pick<Queued<unknown, unknown>, 'reject'>[]): void {
  for (const { reject } of batch) reject(new AppError('SERVICE_UNAVAILABLE', 'the ledger did not get to it in time'));
}
