import { Worker } from 'node:worker_threads';
import { FairSlots } from '../scheduling/fair-slots.js';

/** A module of jobs. They interleave where `run` awaits. Memory of a result `{ bytes }` is moved, not copied. */
export interface JobModule {
  run(job: never): unknown;
}

type JobOf<Jobs extends JobModule> = Parameters<Jobs['run']>[0];
type ResultOf<Jobs extends JobModule> = Awaited<ReturnType<Jobs['run']>>;

export interface JobThreadOptions {
  /**
   * The module of jobs, written as `new URL('./<name>-jobs.js', import.meta.url)`: in this form, the build of a service adds it to
   * the bundle.
   */
  module: URL;
  /** Jobs that may run or wait; further ones are rejected. */
  jobsMax: number;
  /** Longest time of a job. */
  timeoutMs: number;
  /** The thread ends after this time without a job, and gives its memory back. */
  idleMs: number;
  heapMbMax: number;
}

interface Job {
  /** Answers of the thread when the job was sent to it. */
  answersBefore: number;
  resolve(result: unknown): void;
  reject(error: ThreadError): void;
}

/** A job that was not done: there are too many, it took too long, or its thread ended. */
export class ThreadError extends Error {}

/** A job that was refused because too many wait. */
export class ThreadBusyError extends ThreadError {
  constructor() {
    super('too many jobs wait for the thread');
  }
}

/** The build is JavaScript; tests and `npm run dev` run the sources. */
const IS_SOURCE = import.meta.filename.endsWith('.ts');
const PROGRAM = IS_SOURCE ? new URL('./load-source.mjs', import.meta.url) : new URL('./run-jobs.js', import.meta.url);

/**
 * A thread for work that would block the event loop for long. It starts with the first job and ends when it is idle, or when it
 * answers nothing until a job's time is over.
 */
export class JobThread<Jobs extends JobModule> {
  readonly #options: JobThreadOptions;
  readonly #jobs = new Map<number, Job>();
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #answers = 0;
  #isStopped = false;

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Sends a copy of the job to the thread. @throws ThreadError */
  async run(job: JobOf<Jobs>): Promise<ResultOf<Jobs>> {
    const { jobsMax, timeoutMs } = this.#options;
    if (this.#isStopped) throw new ThreadError('the service is stopping');
    if (this.#jobs.size >= jobsMax) throw new ThreadBusyError();
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const timer = setTimeout(() => this.#endLate(worker, id), timeoutMs);
    try {
      return await new Promise<ResultOf<Jobs>>((resolve, reject) => {
        this.#jobs.set(id, { answersBefore: this.#answers, resolve: resolve as Job['resolve'], reject });
        worker.postMessage({ id, job });
      });
    } finally {
      clearTimeout(timer);
      this.#jobs.delete(id);
      if (this.#jobs.size === 0) this.#endWhenIdle();
    }
  }

  /** Ends the thread; its jobs and later ones are rejected. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#worker) await this.#end(this.#worker, 'the service is stopping');
  }

  #start(): Worker {
    const { module, heapMbMax } = this.#options;
    const worker = new Worker(PROGRAM, {
      workerData: IS_SOURCE ? module.href.replace(/\.js$/, '.ts') : module.href,
      env: {},
      execArgv: IS_SOURCE ? ['--conditions=source'] : [],
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    });
    worker.on('message', ({ id, result }: { id: number; result: unknown }) => {
      this.#answers += 1;
      this.#jobs.get(id)?.resolve(result);
    });
    worker.on('error', (error) => void this.#end(worker, error.message));
    worker.on('exit', () => void this.#end(worker, 'the thread has ended'));
    // After the listeners, which would keep the process running.
    worker.unref();
    return worker;
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(
      () => void (this.#worker && this.#end(this.#worker, 'the thread is idle')),
      this.#options.idleMs,
    ).unref();
  }

  /** Fails one job whose time is over; ends the thread if it answered no job in that time. */
  #endLate(worker: Worker, id: number): void {
    const job = this.#jobs.get(id);
    if (!job) return;
    const reason = 'the job takes too long';
    if (job.answersBefore === this.#answers) void this.#end(worker, reason);
    else job.reject(new ThreadError(reason));
  }

  /** Ends the thread with all of its jobs. The next job starts another one. */
  async #end(worker: Worker, reason: string): Promise<void> {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    clearTimeout(this.#idleTimer);
    for (const { reject } of this.#jobs.values()) reject(new ThreadError(reason));
    await worker.terminate();
  }
}

export interface FairThreadOptions extends Omit<JobThreadOptions, 'jobsMax'> {
  /** Jobs that run at once, default 1: they interleave where they await. */
  runningMax?: number;
  /** Jobs of all accounts that may wait. */
  waitingMax: number;
}

/** A thread whose places are shared between accounts, which alternate. */
export class FairThread<Jobs extends JobModule> {
  readonly #thread: JobThread<Jobs>;
  readonly #slots: FairSlots;

  constructor({ runningMax = 1, waitingMax, ...options }: FairThreadOptions) {
    this.#thread = new JobThread({ ...options, jobsMax: runningMax });
    this.#slots = new FairSlots({ slots: runningMax, waitingMax });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** Sends a copy of the job once the account has a place. `signal` ends the wait for it. @throws ThreadError; the signal's reason */
  async run(account: string, job: JobOf<Jobs>, signal?: AbortSignal): Promise<ResultOf<Jobs>> {
    const refuse = (): Error => (signal?.aborted ? signal.reason : new ThreadBusyError());
    return this.#slots.run(account, () => this.#thread.run(job), { signal, refuse });
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
