import type { SqlPolicy } from '@tollgate/api/state';
import { AppError, fromWire } from '@tollgate/errors';
import { FairThread, ThreadBusyError, ThreadError } from '@tollgate/runtime/threads';
import { refuseStatement, type ValidSql } from '../operations/sql/validate-sql.js';
import type * as jobs from '../sql-check-jobs.js';
import { ParserFailedError } from './sql-parser.js';

/** Of all projects together. */
const WAITING_MAX = 256;
/** The longest statements take a second. Deterministic bounds refuse those that would take longer; this one is for surprises. */
const TIMEOUT_MS = 60_000;
const IDLE_MS = 60_000;
const HEAP_MB_MAX = 256;

/**
 * Checks statements in a thread of its own: thousands of joins take a fifth of a second. Projects take turns. A statement on which
 * the parser fails ends the thread, because the parser's memory may be corrupt; the next statement starts another one.
 */
export class SqlCheckThread {
  readonly #thread: FairThread<typeof jobs>;

  constructor() {
    this.#thread = new FairThread({
      module: new URL('../sql-check-jobs.js', import.meta.url),
      waitingMax: WAITING_MAX,
      timeoutMs: TIMEOUT_MS,
      idleMs: IDLE_MS,
      heapMbMax: HEAP_MB_MAX,
    });
  }

  /** @throws AppError INVALID_INPUT with the reasons of a refusal; SERVICE_UNAVAILABLE when too many statements wait */
  async check(projectId: string, sql: string, policy: SqlPolicy): Promise<ValidSql> {
    const outcome = await this.#run(projectId, { sql, policy });
    if ('refusal' in outcome) throw fromWire(outcome.refusal);
    return outcome.valid;
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #run(projectId: string, check: jobs.SqlCheck): Promise<jobs.SqlCheckOutcome> {
    try {
      return await this.#thread.run(projectId, check);
    } catch (cause) {
      if (!(cause instanceof ThreadError)) throw cause;
      if (cause instanceof ThreadBusyError) {
        throw new AppError('SERVICE_UNAVAILABLE', 'too many statements are being checked', {
          cause,
          retryAfterSeconds: 1,
        });
      }
      throw refuseStatement([
        cause.message === ParserFailedError.message ? 'it is nested too deeply' : 'it is too complex',
      ]);
    }
  }
}
