import { AppError } from '@tollgate/errors';
import { FairThread, ThreadBusyError, ThreadError } from '@tollgate/runtime/threads';
import type * as jobs from './schema-jobs.js';

/** Larger schemas are not checked. */
const CHARS_MAX = 64 * 1024;
/** A small schema can take exponential time. Ordinary ones take a few milliseconds. */
const CHECK_MS_MAX = 250;
const TOO_SLOW = 'takes too long to check; make it simpler';

/** A check that takes longer is repeated where only such checks wait for each other. */
const QUICK_MS_MAX = 20;
/** Checks of all accounts that may wait in one thread. */
const WAITING_MAX = 1_024;
/** Includes the first job's wait until the libraries are loaded. Each check has a much shorter time of its own. */
const TIMEOUT_MS = 30_000;
const IDLE_MS = 60_000;
/** Compiling a schema of full size takes a few megabytes. */
const HEAP_MB_MAX = 128;

type Schema = Readonly<Record<string, unknown>>;
type Thread = FairThread<typeof jobs>;

/** The outcome of one check, and the time that it took. */
export interface SchemaCheck {
  fault: string | undefined;
  ms: number;
}

/**
 * Checks JSON Schemas that clients or foreign servers declare, and arguments by them, in threads of its own: each check may take
 * a quarter of a second, and loading the compiler half as long, which no other request should wait for. Accounts take turns
 * after each check. A check that is not quick continues in a second thread, so that the quick ones of other accounts do not wait
 * for it.
 */
export class SchemaThread {
  readonly #quick: Thread;
  readonly #slow: Thread;
  readonly #checkMsMax: number;
  #isStopped = false;

  constructor({
    idleMs = IDLE_MS,
    waitingMax = WAITING_MAX,
    checkMsMax = CHECK_MS_MAX,
  }: { idleMs?: number; waitingMax?: number; checkMsMax?: number } = {}) {
    this.#checkMsMax = checkMsMax;
    const module = new URL('./schema-jobs.js', import.meta.url);
    const limits = { idleMs, waitingMax, timeoutMs: TIMEOUT_MS, heapMbMax: HEAP_MB_MAX };
    this.#quick = new FairThread({ module, ...limits });
    this.#slow = new FairThread({ module, ...limits });
  }

  /** Which of the two threads are running. */
  get running(): { quick: boolean; slow: boolean } {
    return { quick: this.#quick.isRunning, slow: this.#slow.isRunning };
  }

  /**
   * Returns why a schema cannot be used to check arguments, if it cannot. `timeoutMs` shortens the time of the check.
   *
   * @throws AppError SERVICE_UNAVAILABLE when the process stops or too many checks wait
   */
  async check(account: string, schema: Schema, timeoutMs = this.#checkMsMax): Promise<SchemaCheck> {
    const text = JSON.stringify(schema);
    if (text.length > CHARS_MAX) {
      return { fault: `has more than ${CHARS_MAX} characters`, ms: 0 };
    }
    const limitMs = Math.max(1, Math.floor(Math.min(timeoutMs, this.#checkMsMax)));
    const { isLate, reason, ms } = await this.#run(account, { schema: text, timeoutMs: limitMs });
    if (isLate) return { fault: TOO_SLOW, ms };
    return { fault: reason === undefined ? undefined : `is not a usable JSON Schema: ${reason}`, ms };
  }

  /**
   * Returns why arguments do not match the JSON Schema that the client declared for them, or that checking them takes too long.
   * Returns undefined if they match, or if the schema cannot be used. Formats are not checked. `signal` ends the wait.
   *
   * @param args JSON
   * @throws AppError SERVICE_UNAVAILABLE when the process stops or too many checks wait; the signal's reason
   */
  async findFault(account: string, schema: Schema, args: string, signal?: AbortSignal): Promise<string | undefined> {
    const text = JSON.stringify(schema);
    if (text.length > CHARS_MAX) return undefined;
    const job = { schema: text, args, timeoutMs: this.#checkMsMax };
    const { isLate, fault } = await this.#run(account, job, signal);
    return isLate ? `the schema ${TOO_SLOW}` : fault;
  }

  async #run(account: string, job: jobs.SchemaJob, signal?: AbortSignal): Promise<jobs.SchemaJobResult> {
    const timeoutMs = Math.min(job.timeoutMs, QUICK_MS_MAX);
    const quick = await this.#runIn(this.#quick, account, { ...job, timeoutMs }, signal);
    if (!quick.isLate || job.timeoutMs === timeoutMs) return quick;
    const slow = await this.#runIn(this.#slow, account, job, signal);
    return { ...slow, ms: quick.ms + slow.ms };
  }

  /** A check that ends the thread, because it takes all of its memory, is tried once more: another one may have ended it. */
  async #runIn(
    thread: Thread,
    account: string,
    job: jobs.SchemaJob,
    signal?: AbortSignal,
  ): Promise<jobs.SchemaJobResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await thread.run(account, job, signal);
      } catch (error) {
        if (!(error instanceof ThreadError)) throw error;
        if (this.#isStopped) throw unavailable('the process stops', error);
        if (error instanceof ThreadBusyError) throw unavailable('too many schemas wait for their check', error);
        if (attempt === 2) return { isLate: true, ms: job.timeoutMs };
      }
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#quick.stop(), this.#slow.stop()]);
  }
}

function unavailable(message: string, cause: ThreadError): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { retryable: true, cause });
}
