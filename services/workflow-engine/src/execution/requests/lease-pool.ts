import { createLoop, elapsed, type Logger, type Loop, type Stoppable, within } from '@tollgate/runtime';
import type { Config } from '../../config.js';
import type { Dependency } from './dependency.js';

/** A queue of requests in the database, from which each process leases those that it runs. */
export interface LeaseQueue<Item> {
  /** Prefix of the names of its loops. */
  name: string;
  /** Returns the key of an item, which is unique among those that this process holds. */
  toKey(item: Item): string;
  /**
   * Leases up to `max` further items, within the bounds that those held leave. `isFirst`: the first claim of a round over all that
   * waits.
   */
  claim(held: readonly Item[], claim: { max: number; isFirst: boolean }): Promise<Claimed<Item>>;
  /** Extends leases and returns the keys of the items that are still held. */
  extend(held: readonly Item[]): Promise<Set<string>>;
  /** Returns an item whose run was aborted to the queue. */
  putBack(item: Item): Promise<void>;
  /** Runs one item. `signal` aborts when its lease is lost. */
  run(item: Item, signal: AbortSignal): Promise<void>;
  /** Prepares items or finishes what they belong to, one step per call. Returns whether there was a step. */
  advance?(): Promise<boolean>;
}

export interface Claimed<Item> {
  items: Item[];
  /** Whether the round has more to visit. */
  hasMore?: boolean;
  /** Whether another process was claiming what this claim would have visited. */
  hasSkipped?: boolean;
}

export interface LeasePoolOptions<Item> {
  queue: LeaseQueue<Item>;
  logger: Logger;
  /** The services that every item needs. */
  dependencies?: readonly Pick<Dependency, 'admit'>[];
  work: Pick<Config['work'], 'leaseMs' | 'heartbeatMs' | 'pollMs' | 'drainMs'>;
}

interface Held<Item> {
  item: Item;
  controller: AbortController;
  done: Promise<void>;
}

const SPACING_MS = 20;
const STOP_MS = 1_000;

/** Runs the requests of a queue in slots of their own, so that runs never wait for them. */
export class LeasePool<Item> implements Stoppable {
  readonly #options: LeasePoolOptions<Item>;
  readonly #held = new Map<string, Held<Item>>();
  #claiming: Loop | undefined;
  #advancing: Loop | undefined;
  #beating: Loop | undefined;
  #isRunning = false;
  #lastBeatAt = elapsed();

  constructor(options: LeasePoolOptions<Item>) {
    this.#options = options;
  }

  start(): void {
    const { queue, logger, work } = this.#options;
    const { pollMs: intervalMs, heartbeatMs } = work;
    this.#isRunning = true;
    const loop = { intervalMs, spacingMs: SPACING_MS, logger };
    if (queue.advance)
      this.#advancing = createLoop({ ...loop, name: `${queue.name}.advance`, run: () => this.#advance() });
    this.#claiming = createLoop({ ...loop, name: `${queue.name}.claim`, run: (stopping) => this.#claim(stopping) });
    this.#beating = createLoop({
      name: `${queue.name}.heartbeat`,
      intervalMs: heartbeatMs,
      logger,
      backoffMaxMs: heartbeatMs / 2,
      run: () => this.#beat(),
    });
  }

  /** Advances and claims soon: there may be new items. */
  wake(): void {
    if (!this.#isRunning) return;
    this.#advancing?.wake();
    this.#claiming?.wake();
  }

  /** Aborts an item if this process runs it. Its lease must have been ended. */
  abort(key: string): void {
    this.#held.get(key)?.controller.abort(new DOMException('the lease has ended', 'AbortError'));
  }

  /** Stops claiming, waits for active items, then aborts and returns the rest to the queue. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all([this.#claiming?.stop(), this.#advancing?.stop()]);
    await this.#finished(this.#options.work.drainMs);
    const left = [...this.#held.entries()];
    for (const [, { controller }] of left) controller.abort(new DOMException('the process stops', 'AbortError'));
    await this.#finished(STOP_MS);
    for (const [key, { item }] of left) await this.#putBack(key, item);
    await this.#beating?.stop();
  }

  /** An item that is not returned is taken over when its lease ends. */
  async #putBack(key: string, item: Item): Promise<void> {
    try {
      await this.#options.queue.putBack(item);
    } catch (error) {
      this.#options.logger.warn({ err: error, key }, 'leased request not returned to the queue');
    }
  }

  async #finished(timeoutMs: number): Promise<void> {
    await within(Promise.all([...this.#held.values()].map(({ done }) => done)), timeoutMs);
  }

  async #advance(): Promise<boolean> {
    const hasAdvanced = (await this.#options.queue.advance?.()) ?? false;
    if (hasAdvanced) this.#claiming?.wake();
    return hasAdvanced;
  }

  /** Claims in one round. What arrives in the meantime wakes the loop for the next one. */
  async #claim(stopping: AbortSignal): Promise<void> {
    const { queue, dependencies = [] } = this.#options;
    let max = dependencies.reduce((most, dependency) => dependency.admit(most), Number.MAX_SAFE_INTEGER);
    let hasMore = true;
    for (let isFirst = true; hasMore && max > 0 && !stopping.aborted; isFirst = false) {
      const held = [...this.#held.values()].map(({ item }) => item);
      const claimed = await queue.claim(held, { max, isFirst });
      for (const item of claimed.items) this.#start(item);
      max -= claimed.items.length;
      if (claimed.hasSkipped) this.#claiming?.wake();
      hasMore = claimed.hasMore ?? false;
    }
  }

  #start(item: Item): void {
    const { queue, logger } = this.#options;
    const controller = new AbortController();
    const key = queue.toKey(item);
    const held: Held<Item> = { item, controller, done: Promise.resolve() };
    // A process with a late heartbeat may claim its own item again.
    this.#held.get(key)?.controller.abort(new DOMException('taken over by this process', 'AbortError'));
    this.#held.set(key, held);
    held.done = queue
      .run(item, controller.signal)
      .catch((error: unknown) => logger.error({ err: error, key }, 'leased request not ended'))
      .finally(() => {
        if (this.#held.get(key) === held) this.#held.delete(key);
        this.wake();
      });
  }

  async #beat(): Promise<void> {
    const held = [...this.#held.entries()];
    const sentAt = elapsed();
    if (held.length === 0) {
      this.#lastBeatAt = sentAt;
      return;
    }
    let ours: Set<string>;
    try {
      ours = await this.#options.queue.extend(held.map(([, { item }]) => item));
    } catch (error) {
      this.#abortWhenExpired();
      throw error;
    }
    this.#lastBeatAt = sentAt;
    for (const [key, lost] of held) {
      if (!ours.has(key) && this.#held.get(key) === lost)
        lost.controller.abort(new DOMException('the lease is lost', 'AbortError'));
    }
  }

  /** Without a heartbeat for a whole lease, other processes have taken the items over: aborts them. */
  #abortWhenExpired(): void {
    if (elapsed() - this.#lastBeatAt < this.#options.work.leaseMs) return;
    const reason = new DOMException('no heartbeat for the duration of a lease', 'AbortError');
    for (const { controller } of this.#held.values()) controller.abort(reason);
  }
}
