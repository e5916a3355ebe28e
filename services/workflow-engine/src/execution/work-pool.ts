import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTransientError } from '@tollgate/errors';
import { backoffMs, createLoop, elapsed, type Logger, type Loop, type Stoppable, within } from '@tollgate/runtime';
import type { WorkItem } from '../domain/run/work-item.js';
import type { Pool } from '../store/database.js';
import { claimWork, extendLeases, type Lease, type PutBack, putBackWork } from '../store/queues/run-work.js';

export interface WorkPoolOptions {
  pool: Pool;
  logger: Logger;
  /**
   * Does one piece of work. `signal` aborts when the lease is lost. Throwing re-queues the work with backoff; throwing
   * `PeerUnavailable` does so without counting as a failed try.
   */
  run: (item: WorkItem, signal: AbortSignal) => Promise<void>;
  /** The most pieces of work at the same time. */
  slots: number;
  leaseMs: number;
  heartbeatMs: number;
  /** The longest delay when no wake-up arrives. */
  pollMs: number;
  /** How long `stop()` waits for active work. */
  drainMs: number;
  /** Called for each piece of work whose lease is lost. */
  onLeaseLost?: (() => void) | undefined;
}

interface Held {
  item: WorkItem;
  controller: AbortController;
  done: Promise<void>;
  isOver: boolean;
}

/** Joins the lease checks of runs that end at the same time. */
const BEAT_SPACING_MS = 20;
/** Wake-ups later than this many polls are left to the poll. */
const WAKES_AHEAD = 5;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 30_000;
/** The longest delay of work that waits for a peer. */
const WAIT_MS_MAX = 4_000;

/** The reason of an abort by this process itself. */
const STOPPING = 'the process stops';

/** The reason of an abort when the lease is lost. Called services see it as a cancellation. */
export class LeaseLost extends Error {
  override readonly name = 'AbortError';
}

/**
 * Re-queues work because a peer is unavailable. It does not count as a failed try; the work's own deadline limits it.
 */
export class PeerUnavailable extends Error {
  override readonly name = 'PeerUnavailable';
}

/** Claims work, runs it in a bounded number of slots, extends its leases, and aborts work whose lease is lost. */
export class WorkPool implements Stoppable {
  readonly lease: Lease;
  readonly #options: WorkPoolOptions;
  readonly #held = new Map<bigint, Held>();
  #claiming: Loop | undefined;
  #beating: Loop | undefined;
  #reserved = 0;
  /** Whether work may have remained in the queue after the last claim. */
  #hasBacklog = false;
  #isRunning = false;
  #lastBeatAt = elapsed();

  constructor(options: WorkPoolOptions) {
    this.#options = options;
    this.lease = { owner: randomUUID(), leaseMs: options.leaseMs };
  }

  start(): void {
    const { logger, pollMs, heartbeatMs } = this.#options;
    this.#isRunning = true;
    // Jitter spreads the polls of many processes.
    const intervalMs = pollMs * (0.85 + Math.random() * 0.3);
    const backoffMaxMs = 5_000;
    this.#claiming = createLoop({ name: 'work.claim', intervalMs, logger, backoffMaxMs, run: () => this.#claim() });
    const beat = {
      name: 'work.heartbeat',
      intervalMs: heartbeatMs,
      spacingMs: BEAT_SPACING_MS,
      logger,
      backoffMaxMs: heartbeatMs / 2,
    };
    this.#beating = createLoop({ ...beat, run: () => this.#beat() });
  }

  /**
   * Reserves up to `wanted` slots for work that a transaction queues with a lease of this process, so that the next
   * node of a run does not wait for the queue. Reserves none while other work waits. `accept` fills the reserved slots;
   * `release` frees them.
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

  /** Fills reserved slots. */
  accept(items: readonly WorkItem[]): void {
    this.#reserved -= items.length;
    for (const item of items) this.#start(item);
  }

  /** Claims work soon: there may be some. */
  wake(): void {
    if (this.#isRunning) this.#claiming?.wake();
  }

  /** Claims work after a delay. */
  wakeAfter(delayMs: number): void {
    if (delayMs < this.#options.pollMs * WAKES_AHEAD) setTimeout(() => this.wake(), delayMs + 1).unref();
  }

  /** Checks soon whether the held leases are still valid. */
  checkLeases(): void {
    if (this.#held.size > 0) this.#beating?.wake();
  }

  /** Stops claiming, waits for active work, then aborts and releases the rest. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#claiming?.stop();
    await this.#finished(this.#options.drainMs);
    const left = [...this.#held.values()];
    for (const lost of left) this.#abort(lost, STOPPING);
    await this.#finished(1_000);
    for (const { item } of left) await this.#putBack(item, { delayMs: 0, counts: 'nothing' });
    await this.#beating?.stop();
  }

  #freeSlots(): number {
    return this.#options.slots - this.#held.size - this.#reserved;
  }

  async #claim(): Promise<boolean> {
    const free = this.#freeSlots();
    if (free <= 0) {
      this.#hasBacklog = true;
      return false;
    }
    this.#reserved += free;
    let items: WorkItem[] = [];
    try {
      // Starts at a random project id, so that no project is always first.
      items = await claimWork(this.#options.pool, this.lease, { max: free, from: randomUUID() });
    } finally {
      this.#reserved -= free;
    }
    this.#hasBacklog = items.length === free;
    for (const item of items) this.#start(item);
    return this.#hasBacklog && this.#freeSlots() > 0;
  }

  #start(item: WorkItem): void {
    const controller = new AbortController();
    // Every call of a long node adds a listener.
    setMaxListeners(0, controller.signal);
    const held: Held = { item, controller, done: Promise.resolve(), isOver: false };
    // A process with a late heartbeat may claim its own work again.
    const before = this.#held.get(item.workId);
    if (before) this.#abort(before, 'taken over by this process');
    this.#held.set(item.workId, held);
    held.done = this.#run(item, controller).finally(() => {
      held.isOver = true;
      if (this.#held.get(item.workId) === held) this.#held.delete(item.workId);
      if (this.#hasBacklog) this.wake();
    });
  }

  async #run(item: WorkItem, controller: AbortController): Promise<void> {
    // Lets the caller continue first: accepted work must not run inside the transition that queued it.
    await Promise.resolve();
    try {
      await this.#options.run(item, controller.signal);
    } catch (error) {
      const { runId, nodeId, kind, retries, waits } = item;
      const isWait = error instanceof PeerUnavailable;
      const pauseMs = isWait ? pauseBefore(waits + 1, WAIT_MS_MAX) : pauseBefore(retries + 1);
      const fields = { err: error, run_id: runId, node_id: nodeId, kind, retries, waits, pause_ms: pauseMs };
      const level = isTransientError(error) ? 'warn' : 'error';
      this.#options.logger[level](fields, 'work failed; it is re-queued');
      await this.#putBack(item, { delayMs: pauseMs, counts: isWait ? 'wait' : 'retry' }, this.lease.leaseMs);
      this.wakeAfter(pauseMs);
    }
  }

  /** Retries for `retryMs` while the database is unavailable; then the lease expires and another process takes over. */
  async #putBack(item: WorkItem, back: PutBack, retryMs = 0): Promise<void> {
    const { pool, logger } = this.#options;
    const deadline = elapsed() + retryMs;
    for (let failures = 1; ; failures++) {
      try {
        await putBackWork(pool, item, back);
        return;
      } catch (error) {
        logger.warn({ err: error, run_id: item.runId, failures }, 'work not re-queued');
      }
      if (!this.#isRunning || elapsed() >= deadline) return;
      await sleep(pauseBefore(failures));
    }
  }

  async #beat(): Promise<void> {
    const held = [...this.#held.values()];
    if (held.length === 0) {
      this.#lastBeatAt = elapsed();
      return;
    }
    const sentAt = elapsed();
    try {
      const kept = await extendLeases(
        this.#options.pool,
        this.lease,
        held.map(({ item }) => item),
      );
      this.#lastBeatAt = sentAt;
      for (const lost of held) if (!kept.has(lost.item.workId)) this.#abort(lost, 'taken over, or its run has ended');
    } catch (error) {
      this.#abortWhenExpired(held);
      throw error;
    }
  }

  /** Without a heartbeat for a whole lease, other processes have taken the work over: aborts it. */
  #abortWhenExpired(held: readonly Held[]): void {
    if (elapsed() - this.#lastBeatAt < this.lease.leaseMs) return;
    for (const lost of held) this.#abort(lost, 'no heartbeat for the duration of a lease');
  }

  #abort({ item, controller, isOver }: Held, reason: string): void {
    if (isOver || controller.signal.aborted) return;
    const { runId, nodeId, kind } = item;
    this.#options.logger.info({ run_id: runId, node_id: nodeId, kind, reason }, 'lease lost');
    controller.abort(new LeaseLost(reason));
    if (reason !== STOPPING) this.#options.onLeaseLost?.();
  }

  async #finished(timeoutMs: number): Promise<void> {
    await within(Promise.all([...this.#held.values()].map(({ done }) => done)), timeoutMs);
  }
}

export function pauseBefore(retry: number, maxMs = PAUSE_MS_MAX): number {
  return Math.round(backoffMs(retry, { minMs: PAUSE_MS_MIN, maxMs }));
}
