import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { FairSlots } from '@tollgate/runtime';

export interface TurnGateOptions {
  /** Turns that may be in admission at the same time. */
  startingMax?: number;
  /** Turns that may wait. */
  waitingMax?: number;
  /** Time that a turn may wait. */
  waitMs?: number;
}

/** Enough to fill the ledger's batches twice, and few enough that a burst does not block another account's turn. */
const STARTING_MAX = 128;
const WAITING_MAX = 8_000;
/** As long as an admission may take. */
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 1;

/** Starts turns account by account, so that a burst of one account does not delay the others. */
export class TurnGate {
  readonly #slots: FairSlots<() => void>;
  readonly #waitMs: number;

  constructor({ startingMax = STARTING_MAX, waitingMax = WAITING_MAX, waitMs = WAIT_MS }: TurnGateOptions = {}) {
    this.#waitMs = waitMs;
    this.#slots = new FairSlots({ slots: startingMax, waitingMax, start: (enter) => enter() });
  }

  /**
   * Runs the work when its account is next. A turn whose call is aborted stops waiting.
   *
   * @throws AppError SERVICE_UNAVAILABLE with Retry-After when too many turns of the account wait or this one waits too
   *   long
   */
  async run<Result>(accountId: string, call: Pick<Call, 'signal'>, work: () => Promise<Result>): Promise<Result> {
    let hasEntered = false;
    let resume: (() => void) | undefined;
    const enter = (): void => {
      hasEntered = true;
      resume?.();
    };
    if (!this.#slots.take(accountId, enter)) throw tooMany();
    if (!hasEntered) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => stop(), this.#waitMs);
        const stop = (): void => {
          clearTimeout(timer);
          call.signal.removeEventListener('abort', stop);
          resolve();
        };
        call.signal.addEventListener('abort', stop);
        resume = stop;
      });
      if (this.#slots.drop(accountId, enter)) throw tooMany();
    }
    try {
      return await work();
    } finally {
      this.#slots.release(accountId);
    }
  }
}

function tooMany(): AppError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new AppError('SERVICE_UNAVAILABLE', 'too many requests of this account are waiting', options);
}
