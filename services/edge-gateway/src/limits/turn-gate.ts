import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { FairSlots } from '@tollgate/runtime';
import { ADMISSION_TIMEOUT_MS } from '@tollgate/spending';

/** Enough to fill the ledger's batches twice, and few enough that a burst does not delay another account's turn. */
const STARTING_MAX = 128;
const WAITING_MAX = 8_000;
const RETRY_AFTER_SECONDS = 1;

/** Runs the admissions of turns account by account, so that a burst of one account does not delay the others. */
export class TurnGate {
  readonly #slots = new FairSlots({ slots: STARTING_MAX, waitingMax: WAITING_MAX });

  /** @throws AppError SERVICE_UNAVAILABLE with Retry-After */
  run<Result>(
    account: string,
    call: Pick<Call, 'signal' | 'remainingMs'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const waitMs = Math.min(ADMISSION_TIMEOUT_MS, call.remainingMs());
    return this.#slots.run(account, work, { signal: call.signal, waitMs, refuse: tooMany });
  }
}

function tooMany(): AppError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new AppError('SERVICE_UNAVAILABLE', 'too many requests of this account are waiting', options);
}
