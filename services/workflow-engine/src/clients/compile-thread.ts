import { AppError, fromWire } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { FairThread, ThreadError } from '@tollgate/runtime/threads';
import type * as jobs from '../compile-jobs.js';

/** Jobs interleave between two files: a plugin of hundreds delays no spec. */
const RUNNING_MAX = 4;
const WAITING_MAX = 256;
/** Hundreds of files of the largest frontmatter take ten seconds, and the machine may be busy. */
const TIMEOUT_MS = 60_000;
const IDLE_MS = 60_000;
const HEAP_MB_MAX = 512;

/**
 * Compiles in a thread of its own: a spec with thousands of edges takes a tenth of a second, and so do ten files of a plugin.
 * Accounts take turns.
 */
export class CompileThread {
  readonly #thread: FairThread<typeof jobs>;

  constructor({ idleMs = IDLE_MS }: { idleMs?: number } = {}) {
    this.#thread = new FairThread({
      module: new URL('../compile-jobs.js', import.meta.url),
      runningMax: RUNNING_MAX,
      waitingMax: WAITING_MAX,
      timeoutMs: TIMEOUT_MS,
      idleMs,
      heapMbMax: HEAP_MB_MAX,
    });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** @throws AppError of the job; SERVICE_UNAVAILABLE when too much waits or the job takes too long; the reason of an aborted call */
  async run<Kind extends keyof jobs.CompileJobs>(
    kind: Kind,
    input: jobs.CompileJobs[Kind]['input'],
    call: Call,
  ): Promise<jobs.CompileJobs[Kind]['result']> {
    const outcome = await this.#run({ kind, input } as jobs.CompileJob, call);
    if ('refusal' in outcome) throw fromWire(outcome.refusal);
    return outcome.result as jobs.CompileJobs[Kind]['result'];
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #run(job: jobs.CompileJob, call: Call): Promise<jobs.CompileOutcome> {
    try {
      return await this.#thread.run(call.requirePrincipal().accountId, job, call.signal);
    } catch (cause) {
      if (call.isAborted) throw call.abortReason;
      if (!(cause instanceof ThreadError)) throw cause;
      throw new AppError('SERVICE_UNAVAILABLE', 'too much is being compiled at once, try again later', {
        cause,
        retryAfterSeconds: 1,
      });
    }
  }
}
