import { AppError } from '@tollgate/errors';
import { JobThread } from '@tollgate/runtime/threads';
import type * as jobs from './counting-jobs.js';

/** Each job has at most 64 Ki characters. So many end in time; callers beyond them get an error and try again. */
const JOBS_MAX = 16;
/** Includes the first job's wait until the vocabulary is loaded. */
const TIMEOUT_MS = 8_000;
/** Then the thread is ended: the vocabulary takes tens of megabytes. */
const IDLE_MS = 5 * 60_000;
const HEAP_MB_MAX = 256;

/**
 * Counts tokens in a thread of its own: loading the vocabulary takes most of a second, and counting a text of full size tens of
 * milliseconds, which no other request should wait for.
 */
export class CountingThread {
  readonly #thread: JobThread<typeof jobs>;

  constructor({ idleMs = IDLE_MS, timeoutMs = TIMEOUT_MS }: { idleMs?: number; timeoutMs?: number } = {}) {
    this.#thread = new JobThread({
      module: new URL('./counting-jobs.js', import.meta.url),
      jobsMax: JOBS_MAX,
      timeoutMs,
      idleMs,
      heapMbMax: HEAP_MB_MAX,
    });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * Returns the tokens of each text. Text that looks like a control token is counted as ordinary text, as the vendor does.
   *
   * @throws AppError SERVICE_UNAVAILABLE when it takes too long, when the thread ended or is overloaded
   */
  async count(texts: jobs.Texts): Promise<number[]> {
    try {
      return await this.#thread.run(texts);
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', 'the input cannot be counted now; try again', { cause });
    }
  }
}
