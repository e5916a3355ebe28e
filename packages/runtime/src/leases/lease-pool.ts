import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stoppable } from '../process/stoppable.js';
import { backoffMs } from '../time/backoff.js';
import { elapsed } from '../time/clock.js';
import { createLoop, type Loop } from '../time/loop.js';
import { within } from '../time/within.js';
import { LeaseLost, type LeasePoolOptions } from './lease-queue.js';

interface Held<Item> {
  item: Item;
  controller: AbortController;
  done: Promise<void>;
  isOver: boolean;
  /** By the monotonic clock: before the lease ends in the database. */
  validUntil: number;
}

/** Joins the lease checks of items that end at the same time. */
const BEAT_SPACING_MS = 20;
/** Wake-ups later than this many polls are left to the poll. */
const WAKES_AHEAD = 5;
const STOP_MS = 1_000;
const PUT_BACK_RETRY = { minMs: 250, maxMs: 30_000 };

/** The reason of an abort by this process itself. */
const STOPPING = 'the process stops';

/**
 * Leases items of a queue, runs them in a bounded number of slots, extends their leases, and returns them to the queue when they fail or
 * the process stops. Aborts items whose lease was lost, or cannot be extended before it ends: only then may another process run them.
 */
export class LeasePool<Item, Key = unknown> implements Stoppable {
  readonly #options: LeasePoolOptions<Item, Key>;
  readonly #held = new Map<Key, Held<Item>>();
  #claiming: Loop | undefined;
  #advancing: Loop | undefined;
  #beating: Loop | undefined;
  #reserved = 0;
  /** Whether items may have remained in the queue after the last claim. */
  #hasBacklog = false;
  #isRunning = false;
  #expiryTimer: NodeJS.Timeout | undefined;
  #expiryAt = Number.POSITIVE_INFINITY;
  /** Whether expired leases were left to one more heartbeat, because this process was paused. */
  #isLenient = false;
  #dueTimer: NodeJS.Timeout | undefined;

  constructor(options: LeasePoolOptions<Item, Key>) {
    this.#options = options;
  }

  start(): void {
    const { queue, logger, pollMs, heartbeatMs, spacingMs = 0 } = this.#options;
    this.#isRunning = true;
    // Jitter spreads the polls of many processes.
    const loop = { intervalMs: pollMs * (0.85 + Math.random() * 0.3), spacingMs, logger, backoffMaxMs: 5_000 };
    if (queue.advance)
      this.#advancing = createLoop({ ...loop, name: `${queue.name}.advance`, run: () => this.#advance() });
    this.#claiming = createLoop({ ...loop, name: `${queue.name}.claim`, run: (stopping) => this.#claim(stopping) });
    if (!queue.extend) return;
    this.#beating = createLoop({
      name: `${queue.name}.heartbeat`,
      intervalMs: heartbeatMs,
      spacingMs: BEAT_SPACING_MS,
      logger,
      backoffMaxMs: heartbeatMs / 2,
      run: () => this.#beat(),
    });
  }

  /**
   * Reserves up to `wanted` slots for items that a transaction queues with a lease of this process, so that they do not wait for the queue.
   * Reserves none while other items wait. `accept` fills the reserved slots; `release` frees them.
   */
  reserve(wanted: number): number {
    const count = this.countFree(wanted);
    this.#reserved += count;
    return count;
  }

  /** Returns how many of the wanted slots could be reserved now. */
  countFree(wanted: number): number {
    if (!this.#isRunning || this.#hasBacklog) return 0;
    return Math.max(0, Math.min(wanted, this.#freeSlots()));
  }

  release(count: number): void {
    this.#reserved -= count;
  }

  /** Fills reserved slots. `leasedAt` is a monotonic time before the transaction. */
  accept(items: readonly Item[], leasedAt: number): void {
    this.#reserved -= items.length;
    for (const item of items) this.#start(item, leasedAt);
  }

  /** Advances and claims soon: there may be new items. */
  wake(): void {
    if (!this.#isRunning) return;
    this.#advancing?.wake();
    this.#claiming?.wake();
  }

  /** Claims after a delay. */
  wakeAfter(delayMs: number): void {
    if (delayMs < this.#options.pollMs * WAKES_AHEAD) setTimeout(() => this.wake(), delayMs + 1).unref();
  }

  /** Checks soon whether the held leases are still valid. */
  checkLeases(): void {
    if (this.#held.size > 0) this.#beating?.wake();
  }

  /** Aborts an item if this process runs it. Its lease must have been ended. */
  abort(key: Key): void {
    this.#held.get(key)?.controller.abort(new LeaseLost('the lease has ended'));
  }

  /** Stops claiming, waits for active items, then aborts and returns the rest to the queue. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#dueTimer);
    await Promise.all([this.#claiming?.stop(), this.#advancing?.stop()]);
    clearTimeout(this.#dueTimer);
    await this.#finished(this.#options.drainMs);
    const left = [...this.#held.values()];
    for (const held of left) this.#abort(held, STOPPING);
    await this.#finished(STOP_MS);
    for (const { item } of left) await this.#putBack(item, undefined, 0);
    // A heartbeat that gets no answer delays no stop.
    if (this.#beating) await within(this.#beating.stop(), STOP_MS);
    clearTimeout(this.#expiryTimer);
  }

  #freeSlots(): number {
    return this.#options.slots - this.#held.size - this.#reserved;
  }

  async #advance(): Promise<boolean> {
    const hasAdvanced = (await this.#options.queue.advance?.()) ?? false;
    if (hasAdvanced) this.#claiming?.wake();
    return hasAdvanced;
  }

  /** Claims in one round, until the slots are full. What arrives in the meantime wakes the loop for the next one. */
  async #claim(stopping: AbortSignal): Promise<boolean> {
    const { queue, dependencies = [] } = this.#options;
    clearTimeout(this.#dueTimer);
    const free = this.#freeSlots();
    this.#hasBacklog = free <= 0;
    if (this.#hasBacklog) return false;
    let max = dependencies.reduce((most, dependency) => dependency.admit(most), free);
    if (max <= 0) return false;
    this.#reserved += max;
    try {
      let hasMore = true;
      let dueInMs = Number.POSITIVE_INFINITY;
      for (let isFirst = true; hasMore && max > 0 && !stopping.aborted; isFirst = false) {
        const sentAt = elapsed();
        const held = [...this.#held.values()].map(({ item }) => item);
        const claimed = await queue.claim(held, { max, isFirst });
        max -= claimed.items.length;
        this.accept(claimed.items, sentAt);
        if (claimed.hasSkipped) this.#claiming?.wake();
        dueInMs = Math.min(dueInMs, claimed.nextDueInMs ?? Number.POSITIVE_INFINITY);
        hasMore = claimed.hasMore ?? false;
      }
      this.#wakeWhenDue(dueInMs);
      this.#hasBacklog = max === 0;
    } finally {
      this.#reserved -= max;
    }
    return this.#hasBacklog && this.#freeSlots() > 0;
  }

  #wakeWhenDue(dueInMs: number): void {
    if (dueInMs < this.#options.pollMs && this.#isRunning) {
      this.#dueTimer = setTimeout(() => this.#claiming?.wake(), Math.ceil(dueInMs) + 1).unref();
    }
  }

  #start(item: Item, leasedAt: number): void {
    const { queue, leaseMs, claimsAfterEach } = this.#options;
    const controller = new AbortController();
    // Every call of a long item adds a listener.
    setMaxListeners(0, controller.signal);
    const validUntil = leasedAt + (typeof leaseMs === 'number' ? leaseMs : leaseMs(item));
    const held: Held<Item> = { item, controller, done: Promise.resolve(), isOver: false, validUntil };
    const key = queue.toKey(item);
    // A process with a late heartbeat may claim its own item again.
    const before = this.#held.get(key);
    if (before) this.#abort(before, 'taken over by this process');
    this.#held.set(key, held);
    this.#armExpiry(validUntil);
    held.done = this.#run(held).finally(() => {
      held.isOver = true;
      if (this.#held.get(key) === held) this.#held.delete(key);
      if (claimsAfterEach) this.wake();
      else if (this.#hasBacklog) this.#claiming?.wake();
    });
  }

  async #run({ item, controller: { signal } }: Held<Item>): Promise<void> {
    const { queue, logger, isTransient } = this.#options;
    // Lets the caller continue first: accepted items must not run inside the transition that queued them.
    await Promise.resolve();
    try {
      await queue.run(item, signal);
    } catch (error) {
      const level = isTransient?.(error) ? 'warn' : 'error';
      logger[level]({ err: error, ...queue.toFields(item) }, 'work failed; it is re-queued');
      const pauseMs = await this.#putBack(item, { error }, this.#leaseMs(item));
      if (pauseMs !== undefined) this.wakeAfter(pauseMs);
    }
  }

  #leaseMs(item: Item): number {
    const { leaseMs } = this.#options;
    return typeof leaseMs === 'number' ? leaseMs : leaseMs(item);
  }

  /** Retries for `retryMs` while the database is unavailable; then the lease expires and another process takes over. */
  async #putBack(item: Item, failure: { error: unknown } | undefined, retryMs: number): Promise<number | undefined> {
    const { queue, logger } = this.#options;
    const deadline = elapsed() + retryMs;
    for (let failures = 1; ; failures++) {
      try {
        return await queue.putBack(item, failure);
      } catch (error) {
        logger.warn({ err: error, ...queue.toFields(item), failures }, 'work not re-queued');
      }
      if (!this.#isRunning || elapsed() >= deadline) return undefined;
      await sleep(backoffMs(failures, PUT_BACK_RETRY));
    }
  }

  async #beat(): Promise<void> {
    const held = [...this.#held.entries()];
    if (held.length === 0) return;
    const sentAt = elapsed();
    const kept = await this.#options.queue.extend!(held.map(([, { item }]) => item));
    this.#isLenient = false;
    for (const [key, each] of held) {
      if (kept.has(key)) each.validUntil = Math.max(each.validUntil, sentAt + this.#leaseMs(each.item));
      else this.#abort(each, 'taken over, or its work has ended');
    }
  }

  #armExpiry(at: number): void {
    if (at >= this.#expiryAt) return;
    clearTimeout(this.#expiryTimer);
    this.#expiryAt = at;
    this.#expiryTimer = setTimeout(() => this.#expire(at), Math.max(0, at - elapsed())).unref();
  }

  /** Aborts the items whose lease was not extended in time: from now on, other processes take them over. */
  #expire(dueAt: number): void {
    this.#expiryAt = Number.POSITIVE_INFINITY;
    const { heartbeatMs } = this.#options;
    const now = elapsed();
    const expired = [...this.#held.values()].filter(({ validUntil }) => validUntil <= now);
    // A process that was paused has sent no heartbeat. It may still hold the leases: the database knows.
    const isAsking = now - dueAt > heartbeatMs / 2 && !this.#isLenient && this.#beating !== undefined;
    if (expired.length > 0 && isAsking) {
      this.#isLenient = true;
      this.#beating?.wake();
      this.#armExpiry(now + heartbeatMs);
      return;
    }
    for (const held of expired) this.#abort(held, 'no heartbeat for the duration of a lease');
    const next = [...this.#held.values()].filter(({ controller }) => !controller.signal.aborted);
    if (next.length > 0) this.#armExpiry(Math.min(...next.map(({ validUntil }) => validUntil)));
  }

  #abort({ item, controller, isOver }: Held<Item>, reason: string): void {
    if (isOver || controller.signal.aborted) return;
    const { queue, logger, onLeaseLost } = this.#options;
    logger.info({ ...queue.toFields(item), reason }, 'lease lost');
    controller.abort(new LeaseLost(reason));
    if (reason !== STOPPING) onLeaseLost?.();
  }

  async #finished(timeoutMs: number): Promise<void> {
    await within(Promise.all([...this.#held.values()].map(({ done }) => done)), timeoutMs);
  }
}
