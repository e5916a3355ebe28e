import { FairSlots } from './fair-slots.js';

export interface FairGateOptions {
  /** Work that may run at the same time. */
  slots: number;
  /** Work that may wait. */
  waitingMax: number;
  /** Time that work may wait. */
  waitMs: number;
  /** Returns what is thrown when too much work of the account waits or this one waits too long. */
  refuse(): Error;
}

/** The call that work belongs to. */
export interface WaitingCall {
  readonly signal: AbortSignal;
  /** Milliseconds until the call's deadline. */
  remainingMs(): number;
}

/** Runs work account by account, so that a burst of one account does not delay the others. */
export class FairGate {
  readonly #slots: FairSlots<() => void>;
  readonly #options: FairGateOptions;

  constructor(options: FairGateOptions) {
    this.#options = options;
    this.#slots = new FairSlots({ ...options, start: (enter) => enter() });
  }

  /** Runs the work when its account is next. Work whose call is aborted or late stops waiting, and is refused. */
  async run<Result>(account: string, call: WaitingCall, work: () => Promise<Result>): Promise<Result> {
    let hasEntered = false;
    let resume: (() => void) | undefined;
    const enter = (): void => {
      hasEntered = true;
      resume?.();
    };
    if (!this.#slots.take(account, enter)) throw this.#options.refuse();
    if (!hasEntered) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => stop(), Math.min(this.#options.waitMs, call.remainingMs()));
        const stop = (): void => {
          clearTimeout(timer);
          call.signal.removeEventListener('abort', stop);
          resolve();
        };
        call.signal.addEventListener('abort', stop);
        resume = stop;
      });
      if (this.#slots.drop(account, enter)) throw this.#options.refuse();
    }
    try {
      return await work();
    } finally {
      this.#slots.release(account);
    }
  }
}
