import { Worker } from 'node:worker_threads';
import { AppError } from '@tollgate/errors';

/** Texts of one request, split into pieces that are counted separately. */
type Texts = readonly (readonly string[])[];

interface Job {
  /** Answers of the thread when the job was sent to it. */
  answersBefore: number;
  resolve(counts: number[]): void;
  reject(error: AppError): void;
}

/** Each job has at most 64 Ki characters. So many end in time; callers beyond them get an error and try again. */
const JOBS_MAX = 16;
/** Includes the first job's wait until the vocabulary is loaded. */
const TIMEOUT_MS = 8_000;
/** Then the thread is ended: the vocabulary takes tens of megabytes. */
const IDLE_MS = 5 * 60_000;
const HEAP_MB_MAX = 256;

/**
 * Source of the thread, as text, so that it is the same whether or not this file is compiled or bundled. Jobs take turns after
 * each eight pieces, so that a small one does not wait for a large one.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { setImmediate: nextTurn } = require('node:timers/promises');
const library = import(workerData);
const asText = { disallowedSpecial: new Set() };
parentPort.on('message', async ({ id, texts }) => {
  const { countTokens } = await library;
  const counts = [];
  let pieces = 0;
  for (const text of texts) {
    let count = 0;
    for (const piece of text) {
      count += countTokens(piece, asText);
      pieces += 1;
      if (pieces % 8 === 0) await nextTurn();
    }
    counts.push(count);
  }
  parentPort.postMessage({ id, counts });
});
`;

/**
 * Counts tokens in a thread of its own: loading the vocabulary takes most of a second, and counting a text of full size tens of
 * milliseconds, which no other request should wait for. The thread starts with the first text and ends when it is idle, or when
 * it answers nothing until a job's time is over.
 */
export class CountingThread {
  readonly #jobs = new Map<number, Job>();
  readonly #idleMs: number;
  readonly #timeoutMs: number;
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #answers = 0;

  constructor({ idleMs = IDLE_MS, timeoutMs = TIMEOUT_MS }: { idleMs?: number; timeoutMs?: number } = {}) {
    this.#idleMs = idleMs;
    this.#timeoutMs = timeoutMs;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Returns the tokens of each text. Text that looks like a control token is counted as ordinary text, as the vendor does.
   *
   * @throws AppError SERVICE_UNAVAILABLE when it takes too long, when the thread ended or is overloaded
   */
  async count(texts: Texts): Promise<number[]> {
    if (this.#jobs.size >= JOBS_MAX) throw unavailable('too many requests wait for it');
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const timer = setTimeout(() => this.#endLate(worker, id), this.#timeoutMs);
    try {
      return await new Promise<number[]>((resolve, reject) => {
        this.#jobs.set(id, { answersBefore: this.#answers, resolve, reject });
        worker.postMessage({ id, texts });
      });
    } finally {
      clearTimeout(timer);
      this.#jobs.delete(id);
      if (this.#jobs.size === 0) this.#endWhenIdle();
    }
  }

  #start(): Worker {
    const worker = new Worker(THREAD, {
      eval: true,
      // From the bundle of a service, this finds the service's own dependency.
      workerData: import.meta.resolve('gpt-tokenizer/encoding/o200k_base'),
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    worker.on('message', ({ id, counts }: { id: number; counts: number[] }) => {
      this.#answers += 1;
      this.#jobs.get(id)?.resolve(counts);
    });
    worker.on('error', (error) => this.#end(worker, error.message));
    worker.on('exit', () => this.#end(worker, 'its thread has ended'));
    // After the listeners, which would keep the process running.
    worker.unref();
    return worker;
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#worker && this.#end(this.#worker, 'idle'), this.#idleMs).unref();
  }

  /** Fails one job whose time is over; ends the thread if it answered no job in that time. */
  #endLate(worker: Worker, id: number): void {
    const job = this.#jobs.get(id);
    if (!job) return;
    if (job.answersBefore === this.#answers) this.#end(worker, 'it takes too long');
    else job.reject(unavailable('it takes too long'));
  }

  /** Ends the thread with all of its jobs. The next job starts another one. */
  #end(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    for (const { reject } of this.#jobs.values()) reject(unavailable(reason));
  }
}

function unavailable(reason: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'the input cannot be counted now; try again', {
    cause: new Error(`counting tokens: ${reason}`),
  });
}
