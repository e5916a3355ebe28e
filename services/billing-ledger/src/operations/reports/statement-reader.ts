import { AppError } from '@tollgate/errors';
import { type Pool, type Tx, withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import { FairSlots } from '@tollgate/runtime';
import { STATEMENTS_MAX } from '../../store/database.js';

const WAITING_MAX = 64;
const WAIT_MS = 3_000;
const RETRY_AFTER_SECONDS = 3;

/** Reads statements on connections of their own, account by account: those of one never delay those of another. */
export class StatementReader {
  readonly #pool: Pool;
  readonly #slots = new FairSlots({ slots: STATEMENTS_MAX, waitingMax: WAITING_MAX });

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Runs the reading in one snapshot. @throws AppError SERVICE_UNAVAILABLE while too many statements of the account are read */
  read<Result>(
    accountId: string,
    call: Pick<Call, 'signal' | 'remainingMs'>,
    reading: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    const inSnapshot = () => withTransaction(this.#pool, reading, { isolation: 'repeatable read' });
    const waitMs = Math.min(WAIT_MS, call.remainingMs());
    return this.#slots.run(accountId, inSnapshot, { signal: call.signal, waitMs, refuse: tooMany });
  }
}

function tooMany(): AppError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new AppError('SERVICE_UNAVAILABLE', 'too many statements of this account are being read', options);
}
