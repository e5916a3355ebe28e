import { AppError } from '@tollgate/errors';
import { FairThread, ThreadError } from '@tollgate/runtime/threads';
import {
  CHECKED_SCHEMA_CHARS_MAX,
  SCHEMA_CHECK_MS_MAX,
  SCHEMA_COMPILER_SETTINGS,
  SCHEMA_TOO_SLOW,
} from '@tollgate/tools/schema-compiler';

/** One listing waits for one check at a time. */
const WAITING_MAX = 1_024;
/** Includes the first job's wait until the libraries are loaded. Each check has a much shorter time of its own. */
const TIMEOUT_MS = 30_000;
const IDLE_MS = 60_000;
/** Compiling a schema of full size takes a few megabytes. */
const HEAP_MB_MAX = 128;

/** As `compileFault` of `@tollgate/tools`, which a test compares; `ms` is the time of the check alone. */
const SOURCE = `
const { createContext, Script } = require('node:vm');
const bound = {};
const context = createContext(bound);
const script = new Script('run()');
const libraries = Promise.all([import(workerData.ajv), import(workerData.re2js)]).then(([ajv, re2js]) => {
  const regExp = (pattern) => {
    const compiled = re2js.RE2JS.compile(pattern);
    return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
  };
  regExp.code = 'regExp';
  const Ajv2020 = ajv.Ajv2020 || ajv.default.Ajv2020;
  const compile = (schema) => new Ajv2020({ ...workerData.settings, code: { regExp } }).compile(schema);
  compile({ type: 'string', pattern: '^a+$' })('a!');
  return compile;
});
async function run({ schema, timeoutMs }) {
  const compile = await libraries;
  const started = performance.now();
  const end = (result) => ({ ...result, ms: performance.now() - started });
  const { $schema, $id, ...rest } = schema;
  bound.run = () => compile(rest);
  try {
    script.runInContext(context, { timeout: timeoutMs });
    return end({});
  } catch (error) {
    if (error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return end({ isLate: true });
    return end({ reason: error instanceof Error || (error && error.message) ? String(error.message) : 'it cannot be compiled' });
  }
}`;

interface Job {
  schema: Readonly<Record<string, unknown>>;
  timeoutMs: number;
}

interface Result {
  isLate?: boolean;
  reason?: string;
  ms: number;
}

/** The outcome of one check, and the time that it took. */
export interface SchemaCheck {
  fault: string | undefined;
  ms: number;
}

/**
 * Checks JSON Schemas of foreign servers in a thread of its own: they come by the hundred and each may take a quarter of a
 * second, which no delivery should wait for. Projects take turns after each schema.
 */
export class SchemaThread {
  readonly #thread: FairThread<Job, Result>;
  #isStopped = false;

  constructor({ idleMs = IDLE_MS }: { idleMs?: number } = {}) {
    this.#thread = new FairThread({
      source: SOURCE,
      data: {
        // From the bundle of a service, these find the service's own dependencies.
        ajv: import.meta.resolve('ajv/dist/2020.js'),
        re2js: import.meta.resolve('re2js'),
        settings: SCHEMA_COMPILER_SETTINGS,
      },
      waitingMax: WAITING_MAX,
      timeoutMs: TIMEOUT_MS,
      idleMs,
      heapMbMax: HEAP_MB_MAX,
    });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * Returns why a schema cannot be used to check arguments, if it cannot. `timeoutMs` shortens the time of the check.
   *
   * @throws AppError SERVICE_UNAVAILABLE when the process stops
   */
  async check(
    projectId: string,
    schema: Readonly<Record<string, unknown>>,
    timeoutMs = SCHEMA_CHECK_MS_MAX,
  ): Promise<SchemaCheck> {
    if (JSON.stringify(schema).length > CHECKED_SCHEMA_CHARS_MAX) {
      return { fault: `has more than ${CHECKED_SCHEMA_CHARS_MAX} characters`, ms: 0 };
    }
    const limitMs = Math.max(1, Math.floor(Math.min(timeoutMs, SCHEMA_CHECK_MS_MAX)));
    const { isLate, reason, ms } = await this.#run(projectId, { schema, timeoutMs: limitMs });
    if (isLate) return { fault: SCHEMA_TOO_SLOW, ms };
    return { fault: reason === undefined ? undefined : `is not a usable JSON Schema: ${reason}`, ms };
  }

  /** A schema that ends the thread, because it takes all of its memory, is tried once more: another one may have ended it. */
  async #run(projectId: string, job: Job): Promise<Result> {
    try {
      return await this.#thread.run(projectId, job);
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      if (this.#isStopped) throw new AppError('SERVICE_UNAVAILABLE', 'the process stops', { retryable: true });
    }
    try {
      return await this.#thread.run(projectId, job);
    } catch (error) {
      if (error instanceof ThreadError) return { reason: error.message, ms: job.timeoutMs };
      throw error;
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#thread.stop();
  }
}
