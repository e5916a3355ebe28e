import { randomUUID } from 'node:crypto';
import { withTransaction } from '@tollgate/postgres';
import { createLoop, type Logger, type Loop, type Stoppable, within } from '@tollgate/runtime';
import type { Config } from '../../config.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import {
  claimLines,
  extendLineLeases,
  type LineItem,
  type LineLease,
  putBackLine,
} from '../../store/batches/batch-lines.js';
import type { Pool } from '../../store/database.js';
import { advanceBatches } from './advance-batches.js';

export interface LinePoolOptions {
  pool: Pool;
  logger: Logger;
  work: Pick<Config['work'], 'leaseMs' | 'heartbeatMs' | 'pollMs' | 'drainMs'>;
  /** Runs one line. `signal` aborts when its lease is lost. */
  run: (item: LineItem, signal: AbortSignal) => Promise<void>;
}

interface Held {
  item: LineItem;
  controller: AbortController;
  done: Promise<void>;
}

const SPACING_MS = 20;
const STOP_MS = 1_000;

/** Advances batches and runs their lines in slots of their own, so that runs never wait for a batch. */
export class LinePool implements Stoppable {
  readonly #options: LinePoolOptions;
  readonly #lease: LineLease;
  readonly #held = new Map<string, Held>();
  #claiming: Loop | undefined;
  #advancing: Loop | undefined;
  #beating: Loop | undefined;
  #isRunning = false;

  constructor(options: LinePoolOptions) {
    this.#options = options;
    this.#lease = { owner: randomUUID(), leaseMs: options.work.leaseMs };
  }

  start(): void {
    const { pool, logger, work } = this.#options;
    const { pollMs: intervalMs, heartbeatMs } = work;
    this.#isRunning = true;
    const spacingMs = SPACING_MS;
    const advance = async (): Promise<boolean> => {
      const hasAdvanced = await advanceBatches(pool, logger);
      if (hasAdvanced) this.#claiming?.wake();
      return hasAdvanced;
    };
    this.#advancing = createLoop({ name: 'batches.advance', intervalMs, spacingMs, logger, run: advance });
    this.#claiming = createLoop({ name: 'batches.claim', intervalMs, spacingMs, logger, run: () => this.#claim() });
    this.#beating = createLoop({
      name: 'batches.heartbeat',
      intervalMs: heartbeatMs,
      logger,
      backoffMaxMs: heartbeatMs / 2,
      run: () => this.#beat(),
    });
  }

  /** Advances batches soon: there may be a new one, or one has changed. */
  wake(): void {
    if (!this.#isRunning) return;
    this.#advancing?.wake();
    this.#claiming?.wake();
  }

  /** Stops claiming, waits for active lines, then aborts and returns the rest to the queue. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all([this.#claiming?.stop(), this.#advancing?.stop()]);
    await this.#finished(this.#options.work.drainMs);
    const left = [...this.#held.values()];
    for (const { controller } of left) controller.abort(new DOMException('the process stops', 'AbortError'));
    await this.#finished(STOP_MS);
    for (const { item } of left) await this.#putBack(item);
    await this.#beating?.stop();
  }

  /** A line that is not returned is taken over when its lease ends. */
  async #putBack(item: LineItem): Promise<void> {
    try {
      await putBackLine(this.#options.pool, item, { delayMs: 0, next: 'recorded', countsAsTry: false });
    } catch (error) {
      this.#options.logger.warn({ err: error, batch_id: item.batchId }, 'line not returned to the queue');
    }
  }

  async #finished(timeoutMs: number): Promise<void> {
    await within(Promise.all([...this.#held.values()].map(({ done }) => done)), timeoutMs);
  }

  async #claim(): Promise<boolean> {
    const slots = batchLimits.slots - this.#held.size;
    if (slots <= 0) return false;
    const { accountConcurrency: perAccount, accountBytes, slotBytes } = batchLimits;
    const bytes = slotBytes - [...this.#held.values()].reduce((sum, { item }) => sum + item.bytes, 0);
    const bounds = { slots, perAccount, bytes, accountBytes };
    const items = await withTransaction(this.#options.pool, (tx) => claimLines(tx, this.#lease, bounds));
    for (const item of items) this.#start(item);
    return false;
  }

  #start(item: LineItem): void {
    const controller = new AbortController();
    const key = toKey(item);
    const done = this.#options
      .run(item, controller.signal)
      .catch((error: unknown) => this.#options.logger.error({ err: error, batch_id: item.batchId }, 'line not ended'))
      .finally(() => {
        this.#held.delete(key);
        this.wake();
      });
    this.#held.set(key, { item, controller, done });
  }

  async #beat(): Promise<void> {
    const held = [...this.#held.entries()];
    if (held.length === 0) return;
    const items = held.map(([, { item }]) => item);
    const ours = await extendLineLeases(this.#options.pool, this.#lease, items);
    for (const [key, { controller }] of held) {
      if (!ours.has(key) && this.#held.has(key)) controller.abort(new DOMException('the lease is lost', 'AbortError'));
    }
  }
}

function toKey({ batchId, line }: LineItem): string {
  return `${batchId}/${line}`;
}
