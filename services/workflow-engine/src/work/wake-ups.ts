import { randomUUID } from 'node:crypto';
import { createClient, type DedicatedConnection } from '@tollgate/postgres';
import { createLoop, type Logger, type Loop, type Stoppable } from '@tollgate/runtime';
import type pg from 'pg';
import type { ReaderEvent } from '../domain/run/run-event.js';
import { lastSeqs } from '../store/run-events.js';
import { readNotification, writeNotifications } from './notification.js';

export interface WakeUpsOptions {
  pool: pg.Pool;
  database: { url: string; schema: string };
  logger: Logger;
  /** Off where a pooler cannot carry LISTEN: everything then waits for the next poll. */
  usesNotify: boolean;
  /** The guarantee when a notification is lost. */
  pollMs: number;
}

/** With the events that were committed, where this process has committed them itself. */
export type WakeReader = (events?: readonly ReaderEvent[]) => void;

const JOIN_MS = 10;
const LISTEN_CHECK_MS = 500;
const BACKOFF_MAX_MS = 5_000;

/**
 * Hints that something has changed, in this process at once and in the others by NOTIFY. Never a source of truth: who
 * is woken looks at the database. Sent after the commit and joined, because NOTIFY inside a transaction takes a lock of
 * the whole server at commit.
 */
export class WakeUps implements Stoppable {
  readonly #options: WakeUpsOptions;
  readonly #origin = randomUUID();
  readonly #channel: string;
  readonly #readers = new Map<string, Set<WakeReader>>();
  /** Where each watched run's log ended when it was polled last. */
  readonly #polled = new Map<string, number>();
  readonly #workListeners: (() => void)[] = [];
  readonly #cutListeners: (() => void)[] = [];
  readonly #news = { runs: new Set<string>(), cut: false, work: false };
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
   * These events of the run were committed: its readers in this process get them as they are, without asking the
   * database. `isCutShort`: it has ended, and whoever still works on it should stop.
   */
  runChanged(runId: string, isCutShort: boolean, events: () => readonly ReaderEvent[]): void {
    this.#news.runs.add(runId);
    if (this.#readers.has(runId)) this.#wakeRun(runId, events());
    if (isCutShort) {
      this.#news.cut = true;
      wakeAll(this.#cutListeners);
    }
    this.#scheduleSend();
  }

  /** Work was queued that any process may take. */
  workAdded(): void {
    this.#news.work = true;
    wakeAll(this.#workListeners);
    this.#scheduleSend();
  }

  /** Calls back whenever the run's log may have grown: subscribe, then query. Returns the unsubscribe. */
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

  /** Some run was cut short, here or elsewhere. */
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

  /** A notice that cannot be sent is dropped: polling covers it. */
  async #send(): Promise<void> {
    this.#sendTimer = undefined;
    const payloads = writeNotifications(this.#origin, this.#news);
    this.#news.runs.clear();
    this.#news.cut = false;
    this.#news.work = false;
    await this.#options.pool
      .query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [this.#channel, payloads])
      .catch((error: Error) => this.#options.logger.warn({ err: error }, 'a notification was not sent'));
  }

  async #keepListening(): Promise<void> {
    if (this.#connection && !this.#connection.isLost()) return;
    await this.#connection?.end();
    const { database } = this.#options;
    const applicationName = `${database.schema} wake-ups`;
    this.#connection = await createClient({ ...database, applicationName, statementTimeoutMs: 0 });
    this.#connection.client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    await this.#connection.client.query(`LISTEN "${this.#channel}"`);
    // What was said while nobody listened is caught up with.
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
    for (const [runId, seq] of await lastSeqs(this.#options.pool, [...this.#readers.keys()])) {
      if (this.#polled.get(runId) === seq) continue;
      this.#polled.set(runId, seq);
      this.#wakeRun(runId);
    }
  }
}

function wakeAll(wakes: Iterable<() => void>): void {
  for (const wake of wakes) wake();
}
