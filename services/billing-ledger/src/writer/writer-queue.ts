import { AppError } from '@tollgate/errors';
import type { BoundHistogram } from '@tollgate/metrics';
import { elapsed } from '@tollgate/runtime';

/** The caller that waits for an item, until a deadline by `elapsed()`. RPC calls implement it. */
export interface WriterCaller {
  readonly deadline: number;
  readonly isAborted: boolean;
}

/** An item that waits for its batch. */
export interface Queued<I, R> {
  item: I;
  caller: WriterCaller;
  /** When it arrived, by `elapsed()`. */
  queuedAt: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** The fields that every item has. */
export interface WriterItem {
  holdId: string;
  /** The tenant whose rows the item locks. */
  ownerAccountId: string;
}

/** A queue of items of one kind in arrival order. */
export class WriterQueue<I extends WriterItem, R> {
  #items: Queued<I, R>[] = [];
  /** Waiting items per hold. */
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#items.length;
  }

  /** Whether an item of this request is waiting. */
  has(holdId: string): boolean {
    return this.#counts.has(holdId);
  }

  push(queued: Queued<I, R>): void {
    this.#items.push(queued);
    this.#count(queued, 1);
  }

  /** Puts a batch back at the front of the queue. */
  putBack(batch: readonly Queued<I, R>[]): void {
    this.#items.unshift(...batch);
    for (const queued of batch) this.#count(queued, 1);
  }

  find(isWanted: (queued: Queued<I, R>) => boolean): Queued<I, R> | undefined {
    return this.#items.find(isWanted);
  }

  /** Removes and returns the first `max` items that match. */
  take(max: number, isWanted: (queued: Queued<I, R>) => boolean): Queued<I, R>[] {
    const taken: Queued<I, R>[] = [];
    const rest: Queued<I, R>[] = [];
    for (const queued of this.#items) (taken.length < max && isWanted(queued) ? taken : rest).push(queued);
    this.#items = rest;
    for (const queued of taken) this.#count(queued, -1);
    return taken;
  }

  #count({ item }: Queued<I, R>, change: number): void {
    const count = (this.#counts.get(item.holdId) ?? 0) + change;
    if (count > 0) this.#counts.set(item.holdId, count);
    else this.#counts.delete(item.holdId);
  }
}

type Caller = Pick<Queued<unknown, unknown>, 'caller'>;

export function isLate({ caller }: Caller): boolean {
  return caller.deadline <= elapsed();
}

/** The caller no longer waits, so a hold written for it would stay open until it expires. */
export function isAbandoned(queued: Caller): boolean {
  return queued.caller.isAborted || isLate(queued);
}

/** Refuses items that waited too long. Records their wait too; otherwise the metric would miss the longest waits. */
export function giveUp(
  batch: readonly Pick<Queued<unknown, unknown>, 'queuedAt' | 'reject'>[],
  wait: BoundHistogram | undefined,
): void {
  const now = elapsed();
  for (const { queuedAt } of batch) wait?.record((now - queuedAt) / 1_000);
  refuse(batch);
}

/** Refuses items. Nothing was written for them, or a retry will recognize it by the hold's id. */
export function refuse(batch: readonly Pick<Queued<unknown, unknown>, 'reject'>[]): void {
  for (const { reject } of batch)
    reject(new AppError('SERVICE_UNAVAILABLE', 'the ledger did not process the request in time'));
}

const LOCKED_PAUSE_MIN_MS = 100;
const LOCKED_PAUSE_MAX_MS = 2_000;
/** A tenant that was not retried for this long is removed. */
const LOCKED_MEMORY_MS = 60_000;

interface Locked {
  pauseMs: number;
  retryAtMs: number;
}

/** Tenants with rows locked by another transaction, and when each is retried. */
export class LockedTenants {
  readonly #tenants = new Map<string, Locked>();

  get size(): number {
    return this.#tenants.size;
  }

  has(tenant: string): boolean {
    return this.#tenants.has(tenant);
  }

  /** Returns true if the tenant's pause is over. */
  isDue(tenant: string, elapsedMs: number): boolean {
    const locked = this.#tenants.get(tenant);
    return locked !== undefined && locked.retryAtMs <= elapsedMs;
  }

  /** Records that the tenant's rows are locked. Doubles the pause each consecutive time. */
  add(tenant: string, elapsedMs: number): void {
    for (const [known, { retryAtMs }] of this.#tenants) {
      if (retryAtMs < elapsedMs - LOCKED_MEMORY_MS) this.#tenants.delete(known);
    }
    const pauseMs = Math.min(LOCKED_PAUSE_MAX_MS, (this.#tenants.get(tenant)?.pauseMs ?? LOCKED_PAUSE_MIN_MS / 2) * 2);
    this.#tenants.set(tenant, { pauseMs, retryAtMs: elapsedMs + pauseMs });
  }

  delete(tenant: string): void {
    this.#tenants.delete(tenant);
  }
}
