import { FairSlots } from '../scheduling/fair-slots.js';
import { JobThread, type JobThreadOptions, ThreadBusyError } from './job-thread.js';

export interface FairThreadOptions extends Omit<JobThreadOptions, 'jobsMax'> {
  /** Jobs that run at once, default 1: they interleave where they await. */
  runningMax?: number;
  /** Jobs of all accounts that may wait. */
  waitingMax: number;
}

/** A thread whose places are shared between accounts, which alternate. */
export class FairThread<In, Out> {
  readonly #thread: JobThread<In, Out>;
  readonly #slots: FairSlots;

  constructor({ runningMax = 1, waitingMax, ...options }: FairThreadOptions) {
    this.#thread = new JobThread({ ...options, jobsMax: runningMax });
    this.#slots = new FairSlots({ slots: runningMax, waitingMax });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** Sends a copy of the job once the account has a place. `signal` ends the wait for it. @throws ThreadError; the signal's reason */
  async run(account: string, job: In, signal?: AbortSignal): Promise<Out> {
    const refuse = (): Error => (signal?.aborted ? signal.reason : new ThreadBusyError());
    return this.#slots.run(account, () => this.#thread.run(job), { signal, refuse });
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
