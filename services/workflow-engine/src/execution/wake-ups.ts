import { randomUUID } from 'node:crypto';
import type { DedicatedConnection } from '@tollgate/postgres';
import { createLoop, type Logger, type Loop, type Stoppable } from '@tollgate/runtime';
import type { ReaderEvent } from '../domain/run/run-event.js';
import type { Pool } from '../store/database.js';
import { notifyAll, openListener } from '../store/queues/notifications.js';
import { lastSeqs } from '../store/runs/run-events.js';
import { readNotification, writeNotifications } from './notification.js';

export interface WakeUpsOptions {
  pool: Pool;
  database: { url: string; schema: string };
  logger: Logger;
  /** Set to false behind a pooler without LISTEN; changes are then noticed by the next poll. */
  usesNotify: boolean;
  /** The longest delay when a notification is lost. */
  pollMs: number;
}

/** `events`: the committed events, if this process has committed them. */
export type WakeReader = (events?: readonly ReaderEvent[]) => void;

const JOIN_MS = 10;
const LISTEN_CHECK_MS = 500;
const BACKOFF_MAX_MS = 5_000;

/**
 * Sends hints about changes, to this process directly and to the others by NOTIFY. The database is the source of truth:
 * woken workers and readers query it. Hints are sent after the commit, and joined, because NOTIFY inside a transaction
 * takes a server-wide lock at commit.
 */
export class WakeUps implements Stoppable {
  readonly #options: WakeUpsOptions;
  readonly #origin = randomUUID();
  readonly #channel: string;
  readonly #readers = new Map<string, Set<WakeReader>>();
  /** The last sequence number of each watched log at its last poll. */
  readonly #polled = new Map<string, number | undefined>();
  readonly #workListeners: (() => void)[] = [];
  readonly #cutListeners: (() => void)[] = [];
  readonly #changes = { runs: new Set<string>(), cut: false, work: false };
  readonly #loops: Loop[];
  #sendTimer: NodeJS.Timeout | undefined;
  #connection: DedicatedConnection | undefined;

  constructor(options: WakeUpsOptions) {
    this.#options = options;
    this.#channel = `${options.database.schema}_runs`;
    this.#loops = [this.#loop('poll', options.pollMs, () => this.#poll())];
    if (options.usesNotify) this.#loops.push(this.#loop('listen', LISTEN_CHECK_MS, () => this.#keepListening()));
  }

  /**
   * Announces committed events of a run. Readers in this process receive them without a query. `isCutShort`: work of
   * the run may still be active and should stop.
   */
  runChanged(runId: string, isCutShort: boolean, events: () => readonly ReaderEvent[]): void {
    this.#changes.runs.add(runId);
    if (this.#readers.has(runId)) this.#wakeRun(runId, events());
    if (isCutShort) {
      this.#changes.cut = true;
      wakeAll(this.#cutListeners);
    }
    this.#scheduleSend();
  }

  /** Announces committed events of a log that is not a run's. Readers in this process receive them without a query. */
  logGrown(id: string, events: readonly ReaderEvent[]): void {
    this.runChanged(id, false, () => events);
  }

  /** Announces queued work that any process may claim. */
  workAdded(): void {
    this.#changes.work = true;
    wakeAll(this.#workListeners);
    this.#scheduleSend();
  }

  /**
   * Calls `wake` whenever the log of the run, or of the background response, may have grown. Subscribe before you query. Returns a function that
   * unsubscribes.
   */
  onRun(runId: string, wake: WakeReader): () => void {
    const wakes = this.#readers.get(runId) ?? new Set();
    this.#readers.set(runId, wakes.add(wake));
    return () => {
      wakes.delete(wake);
      if (wakes.size > 0) return;
      this.#readers.delete(runId);
      this.#polled.delete(runId);
    };
  }

  onWork(wake: () => void): void {
    this.#workListeners.push(wake);
  }

  /** Calls `wake` when some run was cut short, in any process. */
  onRunCut(wake: () => void): void {
    this.#cutListeners.push(wake);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#sendTimer);
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#connection?.end();
  }

  #loop(name: string, intervalMs: number, run: () => Promise<void>): Loop {
    const { logger } = this.#options;
    return createLoop({ name: `wake-ups.${name}`, intervalMs, run, logger, backoffMaxMs: BACKOFF_MAX_MS });
  }

  #wakeRun(runId: string, events?: readonly ReaderEvent[]): void {
    for (const wake of this.#readers.get(runId) ?? []) wake(events);
  }

  #scheduleSend(): void {
    if (this.#options.usesNotify) this.#sendTimer ??= setTimeout(() => void this.#send(), JOIN_MS);
  }

  /** Drops a notification that cannot be sent; polling replaces it. */
  async #send(): Promise<void> {
    this.#sendTimer = undefined;
    const payloads = writeNotifications(this.#origin, this.#changes);
    this.#changes.runs.clear();
    this.#changes.cut = false;
    this.#changes.work = false;
    const { pool, logger } = this.#options;
    await notifyAll(pool, this.#channel, payloads).catch((error: Error) =>
      logger.warn({ err: error }, 'notification not sent'),
    );
  }

  async #keepListening(): Promise<void> {
    if (this.#connection && !this.#connection.isLost()) return;
    await this.#connection?.end();
    this.#connection = await openListener(this.#options.database, this.#channel, (payload) => this.#receive(payload));
    // Catches up with changes while the connection was down.
    for (const runId of this.#readers.keys()) this.#wakeRun(runId);
    wakeAll(this.#workListeners);
    wakeAll(this.#cutListeners);
  }

  #receive(payload: string): void {
    const notification = readNotification(payload);
    if (!notification || notification.origin === this.#origin) return;
    for (const runId of notification.runs) this.#wakeRun(runId);
    if (notification.work) wakeAll(this.#workListeners);
    if (notification.cut) wakeAll(this.#cutListeners);
  }

  async #poll(): Promise<void> {
    if (this.#readers.size === 0) return;
    const seqs = await lastSeqs(this.#options.pool, [...this.#readers.keys()]);
    for (const runId of this.#readers.keys()) {
      // A log that was deleted has none: its readers end.
      const seq = seqs.get(runId);
      if (this.#polled.has(runId) && this.#polled.get(runId) === seq) continue;
      this.#polled.set(runId, seq);
      this.#wakeRun(runId);
    }
  }
}

function wakeAll(wakes: Iterable<() => void>): void {
  for (const wake of wakes) wake();
}
