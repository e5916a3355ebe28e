import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type DedicatedConnection, QUEUE_SESSION_SETTINGS } from '@tollgate/postgres';
import { elapsed, type Logger } from '@tollgate/runtime';
import {
  type Connection,
  LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  pingServer,
  readProcessId,
  terminateProcess,
} from '../store/database.js';

/** Batches take milliseconds. The server's timeout is shorter than the client's, so the server cancels first. */
const STATEMENT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 4_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** The process is not ready if it fails for longer than this. */
const UNAVAILABLE_AFTER_MS = 5_000;

const RECOVERY_CHECK_MS = 1_000;

/** Error codes before the end of the connection, which the client detects only later: a shutdown, or a server made read-only. */
const SHUTDOWN_SQLSTATES = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25006']);

export interface WriterOptions {
  url: string;
  schema: string;
  /** Added to the schema's name in `pg_stat_activity`. */
  name: string;
  /** How long a statement waits for one row lock. */
  lockTimeoutMs: number;
}

/** A connection of the ledger writer. Opened on demand and reopened after a loss. */
export class WriterConnection {
  readonly #options: WriterOptions;
  readonly #logger: Logger;
  readonly #name: string;
  #connection: Promise<DedicatedConnection> | undefined;
  /** Server process of an abandoned connection that may still execute a statement. */
  #abandonedPid: number | undefined;
  #failingSinceMs: number | undefined;
  #isEnded = false;

  constructor(options: WriterOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#name = `${options.schema} ${options.name}`;
  }

  async client(): Promise<Connection> {
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

  /** Why the database cannot be written; undefined while it can, or if it has failed only briefly. */
  get unavailableReason(): string | undefined {
    if (this.#failingSinceMs === undefined) return undefined;
    const failingMs = elapsed() - this.#failingSinceMs;
    return failingMs < UNAVAILABLE_AFTER_MS ? undefined : 'the ledger cannot write to its database';
  }

  /** Records a successful response. */
  noteSuccess(): void {
    this.#failingSinceMs = undefined;
  }

  /** Returns true if the error lost the connection, so that the statement may or may not be committed. */
  async isLost(error: unknown): Promise<boolean> {
    const opening = this.#connection;
    const connection = await opening?.catch(() => undefined);
    const { code } = error as { code?: string };
    const isLost = connection === undefined || connection.isLost() || SHUTDOWN_SQLSTATES.has(code ?? '');
    if (!isLost) return false;
    this.#forget(opening);
    this.#noteFailure();
    if (code === 'ETIMEDOUT') this.#abandonedPid = readProcessId(connection?.client);
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
    this.#failingSinceMs = elapsed();
    void this.#awaitRecovery();
  }

  /** Polls the database, because a process that is not ready receives no requests that would detect the recovery. */
  async #awaitRecovery(): Promise<void> {
    while (this.#failingSinceMs !== undefined && !this.#isEnded) {
      await sleep(RECOVERY_CHECK_MS, undefined, { ref: false });
      if (this.#isEnded) return;
      try {
        await pingServer(await this.client());
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

  /** Terminates a hung server process, so that it cannot execute its statement later for callers that were refused. */
  async #terminateAbandoned(client: Connection): Promise<void> {
    const pid = this.#abandonedPid;
    if (pid === undefined) return;
    this.#abandonedPid = undefined;
    await terminateProcess(client, pid, this.#name).catch((err: unknown) => {
      this.#logger.warn({ err, pid }, 'hung database process not terminated');
    });
  }
}
