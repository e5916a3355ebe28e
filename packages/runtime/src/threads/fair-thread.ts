import { FairSlots } from '../scheduling/fair-slots.js';
import { JobThread, type JobThreadOptions, ThreadBusyError } from './job-thread.js';

export interface FairThreadOptions extends Omit<JobThreadOptions, 'jobsMax'> {
  /** Jobs that run at once, default 1: they interleave where they await. */
  runningMax?: number;
  /** Jobs of all accounts that may wait. */
  waitingMax: number;
}

/** A thread whose places are shared between accounts, which take turns. */
export class FairThread<In, Out> {
  readonly #thread: JobThread<In, Out>;
  readonly #slots: FairSlots<() => void>;

  constructor({ runningMax = 1, waitingMax, ...options }: FairThreadOptions) {
    this.#thread = new JobThread({ ...options, jobsMax: runningMax });
    this.#slots = new FairSlots({ slots: runningMax, waitingMax, start: (run) => run() });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** Sends a copy of the job in the account's turn. `signal` ends the wait for it. @throws ThreadError; the signal's reason */
  async run(account: string, job: In, signal?: AbortSignal): Promise<Out> {
    await this.#enter(account, signal);
    try {
      return await this.#thread.run(job);
    } finally {
      this.#slots.release(account);
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  #enter(account: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        if (this.#slots.drop(account, enter)) reject(signal?.reason);
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', leave, { once: true });
      if (this.#slots.take(account, enter)) return;
      signal?.removeEventListener('abort', leave);
      reject(new ThreadBusyError());
    });
  }
}
