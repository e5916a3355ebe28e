import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type DedicatedConnection, QUEUE_SESSION_SETTINGS } from '@tollgate/postgres';
import type { Logger } from '@tollgate/runtime';
import type pg from 'pg';
import { LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS } from '../store/session-limits.js';

/** Batches take milliseconds; the server gives up first. */
const STATEMENT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 4_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** Failing for longer than this makes the process not ready. */
const UNAVAILABLE_AFTER_MS = 5_000;

const RECOVERY_CHECK_MS = 1_000;

/** The server's last message before it closes the connection; the end itself is noticed only after that. */
const LAST_WORDS = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);

export interface WriterOptions {
  url: string;
  schema: string;
  /** Added to the schema's name in `pg_stat_activity`. */
  name: string;
  /** How long a statement waits for one row lock. */
  lockTimeoutMs: number;
}

/** A connection of the lane, opened when it is needed and again after a loss. */
export class WriterConnection {
  readonly #options: WriterOptions;
  readonly #logger: Logger;
  readonly #name: string;
  #connection: Promise<DedicatedConnection> | undefined;
  /** Server process of a connection that was given up while it might still execute a statement. */
  #abandonedPid: number | undefined;
  #failingSinceMs: number | undefined;
  #isEnded = false;

  constructor(options: WriterOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#name = `${options.schema} ${options.name}`;
  }

  async client(): Promise<pg.Client> {
    this.#connection ??= this.#open();
    const opening = this.#connection;
    try {
      const connection = await opening;
      if (!connection.isLost()) return connection.client;
    } catch (error) {
      this.#forget(opening);
      this.#noteFailure();
      throw error;
    }
    this.#forget(opening);
    return this.client();
  }

  /** Why the database cannot be written to; undefined while it can, or has failed only just now. */
  get unavailableReason(): string | undefined {
    if (this.#failingSinceMs === undefined) return undefined;
    const failingMs = Date.now() - this.#failingSinceMs;
    return failingMs < UNAVAILABLE_AFTER_MS ? undefined : 'the ledger cannot write to its database';
  }

  /** The connection has just answered. */
  noteSuccess(): void {
    this.#failingSinceMs = undefined;
  }

  /** Returns whether the error came with the loss of the connection: its statement may or may not have been committed. */
  async isLost(error: unknown): Promise<boolean> {
    const opening = this.#connection;
    const connection = await opening?.catch(() => undefined);
    const { code } = error as { code?: string };
    const isLost = connection === undefined || connection.isLost() || LAST_WORDS.has(code ?? '');
    if (!isLost) return false;
    this.#forget(opening);
    this.#noteFailure();
    if (code === 'ETIMEDOUT') this.#abandonedPid = processIdOf(connection?.client);
    void connection?.end();
    return true;
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await (await this.#connection?.catch(() => undefined))?.end();
  }

  #forget(opening: Promise<DedicatedConnection> | undefined): void {
    if (this.#connection === opening) this.#connection = undefined;
  }

  #noteFailure(): void {
    if (this.#failingSinceMs !== undefined) return;
    this.#failingSinceMs = Date.now();
    void this.#awaitRecovery();
  }

  /** A process that is not ready gets no requests, so it has to find out by itself when the database answers again. */
  async #awaitRecovery(): Promise<void> {
    while (this.#failingSinceMs !== undefined && !this.#isEnded) {
      await sleep(RECOVERY_CHECK_MS, undefined, { ref: false });
      if (this.#isEnded) return;
      try {
        await (await this.client()).query('SELECT 1');
        this.noteSuccess();
      } catch (error) {
        await this.isLost(error);
      }
    }
  }

  async #open(): Promise<DedicatedConnection> {
    const { url, schema, lockTimeoutMs } = this.#options;
    const connection = await createClient({
      url,
      schema,
      lockTimeoutMs,
      applicationName: this.#name,
      settings: QUEUE_SESSION_SETTINGS,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
      idleInTransactionTimeoutMs: LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS,
    });
    await this.#terminateAbandoned(connection.client);
    return connection;
  }

  /** A hung server process must not execute its statement later, for callers that have been refused since. */
  async #terminateAbandoned(client: pg.Client): Promise<void> {
    const pid = this.#abandonedPid;
    if (pid === undefined) return;
    this.#abandonedPid = undefined;
    const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = $2';
    await client.query(sql, [pid, this.#name]).catch((err: unknown) => {
      this.#logger.warn({ err, pid }, 'a hung database process was not terminated');
    });
  }
}

/** Not part of the driver's types. */
function processIdOf(client: pg.Client | undefined): number | undefined {
  return (client as { processID?: number } | undefined)?.processID;
}
