import type { Logger } from '../observing/logger.js';

/** A queue in the database, from which each process leases the items that it runs. */
export interface LeaseQueue<Item, Key = unknown> {
  /** Prefix of the names of its loops. */
  name: string;
  /** Returns the key of an item, which is unique among those that this process holds. */
  toKey(item: Item): Key;
  /** Returns fields that name an item in log lines. */
  toFields(item: Item): Record<string, unknown>;
  /**
   * Leases up to `max` further items, within the bounds that those held leave. `isFirst`: the first claim of a round over all that
   * waits.
   */
  claim(held: readonly Item[], claim: { max: number; isFirst: boolean }): Promise<Claimed<Item>>;
  /** Extends leases and returns the keys of the items that are still held. Without it, a lease ends after its time. */
  extend?(held: readonly Item[]): Promise<ReadonlySet<Key>>;
  /** Runs one item. `signal` aborts when its lease is lost. A throw returns the item to the queue. */
  run(item: Item, signal: AbortSignal): Promise<void>;
  /**
   * Returns an item to the queue: at once, or after a failure with a pause that is stored and grows with the failures in a row. Changes
   * nothing when the lease was lost. Resolves with the pause in milliseconds.
   */
  putBack(item: Item, failure?: { error: unknown }): Promise<number>;
  /** Prepares items or finishes what they belong to, one step per call. Returns whether there may be more steps. */
  advance?(): Promise<boolean>;
}

export interface Claimed<Item> {
  items: readonly Item[];
  /** Whether the round has more to visit. */
  hasMore?: boolean;
  /** Whether another process was claiming what this claim would have visited. */
  hasSkipped?: boolean;
  /** Time until an item is due that this claim has seen. */
  nextDueInMs?: number | undefined;
}

export interface LeasePoolOptions<Item, Key> {
  queue: LeaseQueue<Item, Key>;
  logger: Logger;
  /** The most items that run at the same time. */
  slots: number;
  /** How long a lease lasts after the statement that began or extended it was sent. */
  leaseMs: number | ((item: Item) => number);
  /** Between two extensions. Keep it at a quarter of the lease. */
  heartbeatMs: number;
  /** The longest delay when no wake-up arrives. */
  pollMs: number;
  /** How long `stop()` waits for active items. */
  drainMs: number;
  /** Minimum time between two rounds of claims. Default 0. */
  spacingMs?: number;
  /**
   * Whether items may wait for the end of others although slots are free, because of bounds of the queue: then each end is followed by a
   * round. Default false.
   */
  claimsAfterEach?: boolean;
  /** What every item needs, such as a service: each says how many of up to `max` items may start now. */
  dependencies?: readonly { admit(max: number): number }[];
  /** Whether an error is an expected failure of what an item needs; others are logged as errors. */
  isTransient?: (error: unknown) => boolean;
  /** Called for each item whose lease is lost. */
  onLeaseLost?: (() => void) | undefined;
}

/** The reason of an abort when the lease is lost. Called services see it as a cancellation. */
export class LeaseLost extends Error {
  override readonly name = 'AbortError';
}
