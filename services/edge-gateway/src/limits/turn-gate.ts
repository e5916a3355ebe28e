import { AppError } from '@tollgate/errors';
import { FairSlots } from '@tollgate/runtime';

export interface TurnGateOptions {
  /** Turns that may be on their way to their admission at once. */
  startingMax?: number;
  /** Turns that may wait for that. */
  waitingMax?: number;
}

/** Enough to fill the ledger's batches twice; few enough that another account's turn is not stuck behind a burst. */
const STARTING_MAX = 128;
const WAITING_MAX = 8_000;
const RETRY_AFTER_SECONDS = 1;

/** Lets turns start account by account, so that a burst of one account does not delay the turns of the others. */
export class TurnGate {
  readonly #slots: FairSlots<() => void>;

  constructor({ startingMax = STARTING_MAX, waitingMax = WAITING_MAX }: TurnGateOptions = {}) {
    this.#slots = new FairSlots({ slots: startingMax, waitingMax, start: (enter) => enter() });
  }

  /**
   * Runs the work when its account's turn has come.
   *
   * @throws AppError SERVICE_UNAVAILABLE with Retry-After when too many turns of the account wait
   */
  async run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    let hasEntered = false;
    let resume: (() => void) | undefined;
    const enter = (): void => {
      hasEntered = true;
      resume?.();
    };
    if (!this.#slots.take(accountId, enter)) throw tooMany();
    if (!hasEntered) {
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
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
