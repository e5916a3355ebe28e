import { Worker } from 'node:worker_threads';

export interface JobThreadOptions {
  /**
   * Source that defines `async function run(job)`, as text, so that it is the same whether or not this file is compiled or
   * bundled. `workerData` holds `data`. Jobs interleave where it awaits.
   */
  source: string;
  data?: unknown;
  /** Options of Node for the thread. */
  execArgv?: string[];
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

const PRELUDE = "const { parentPort, workerData } = require('node:worker_threads');";

/** `run` may return `{ bytes }`: their memory is moved, not copied. */
const LOOP = `
parentPort.on('message', async ({ id, job }) => {
  const result = await run(job);
  const buffer = result && result.bytes && result.bytes.buffer;
  parentPort.postMessage({ id, result }, buffer && buffer.byteLength === result.bytes.byteLength ? [buffer] : []);
});`;

/**
 * A thread for work that would block the event loop for long. It starts with the first job and ends when it is idle, or when it
 * answers nothing until a job's time is over.
 */
export class JobThread<In, Out> {
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
  async run(job: In): Promise<Out> {
    const { jobsMax, timeoutMs } = this.#options;
    if (this.#isStopped) throw new ThreadError('the service is stopping');
    if (this.#jobs.size >= jobsMax) throw new ThreadBusyError();
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const timer = setTimeout(() => this.#endLate(worker, id), timeoutMs);
    try {
      return await new Promise<Out>((resolve, reject) => {
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
    const { source, data, execArgv = [], heapMbMax } = this.#options;
    const worker = new Worker(`${PRELUDE}${source}${LOOP}`, {
      eval: true,
      workerData: data,
      env: {},
      execArgv,
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
