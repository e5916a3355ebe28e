import { AppError } from '@tollgate/errors';
import { FairGate } from '@tollgate/runtime';
import { ADMISSION_TIMEOUT_MS } from '@tollgate/spending';

/** Enough to fill the ledger's batches twice, and few enough that a burst does not block another account's turn. */
const STARTING_MAX = 128;
const WAITING_MAX = 8_000;
const RETRY_AFTER_SECONDS = 1;

/** Creates the gate of turns that are in admission. It throws SERVICE_UNAVAILABLE with Retry-After. */
export function createTurnGate(): FairGate {
  return new FairGate({ slots: STARTING_MAX, waitingMax: WAITING_MAX, waitMs: ADMISSION_TIMEOUT_MS, refuse: tooMany });
}

function tooMany(): AppError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new AppError('SERVICE_UNAVAILABLE', 'too many requests of this account are waiting', options);
}
