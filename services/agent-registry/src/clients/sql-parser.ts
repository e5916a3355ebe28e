import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SqlDialect } from '@tollgate/api/state';
import { AppError } from '@tollgate/errors';
import { createTurns } from './turns.js';

/** The parser's result for one text. */
export type ParsedSql =
  | { ok: true; statements: unknown[] /** The same statements, written by the parser. */; text: string }
  | { ok: false; reason: string };

export interface StatementParser {
  parse(sql: string, dialect: SqlDialect): Promise<ParsedSql>;
}

export interface SqlParser {
  /**
   * Returns the parser for one project. Projects take turns, so that slow statements of one do not block the others.
   */
  of(projectId: string): StatementParser;
  stop(): Promise<void>;
}

const DIALECT_OF_LIBRARY: Record<SqlDialect, string> = {
  sqlite: 'sqlite',
  postgres: 'postgresql',
  mysql: 'mysql',
  sqlserver: 'mssql',
};

/**
 * A statement within the size limit parses in a few milliseconds. Some deeply nested ones make the parser backtrack
 * exponentially; they are aborted after this time.
 */
const PARSE_TIMEOUT_MS = 1_500;
const START_TIMEOUT_MS = 15_000;
/** Statements of one project that may wait. */
const WAITING_MAX = 64;

/** The thread's code as text, so that it runs both from the sources and from the build. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { init, parse, format } = require(workerData);
  const ready = init().then(() => parentPort.postMessage('ready'));
  parentPort.on('message', async ({ sql, dialect }) => {
    try {
      await ready;
      parentPort.postMessage({ statements: parse(sql, dialect), text: format(sql, dialect) });
    } catch (error) {
      parentPort.postMessage({ error: String(error && error.message) });
    }
  });`;

type Answer = { statements: unknown[]; text: string } | { error: string };

/**
 * Runs the parser in its own thread, one statement at a time. A statement that is nested too deeply corrupts the
 * parser's memory, and other input may do the same; therefore the thread is replaced after every failure.
 */
export function createSqlParser(): SqlParser {
  let worker: Worker | undefined;
  const turns = createTurns({ waitingMax: WAITING_MAX });

  async function replaceWorker(): Promise<void> {
    const old = worker;
    worker = undefined;
    await old?.terminate();
  }

  async function readyWorker(): Promise<Worker> {
    if (worker) return worker;
    const started = startWorker();
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    worker = started;
    if ((await nextMessage(started, START_TIMEOUT_MS)) !== undefined) return started;
    await replaceWorker();
    throw new AppError('SERVICE_UNAVAILABLE', 'the SQL parser does not start');
  }

  async function parseNext(sql: string, dialect: SqlDialect): Promise<ParsedSql> {
    const thread = await readyWorker();
    thread.postMessage({ sql, dialect: DIALECT_OF_LIBRARY[dialect] });
    const answer = (await nextMessage(thread, PARSE_TIMEOUT_MS)) as Answer | undefined;
    if (answer && !('error' in answer)) return { ok: true, ...answer };
    const reason = answer && parseFault(answer.error);
    if (reason !== undefined) return { ok: false, reason };
    await replaceWorker();
    return { ok: false, reason: answer ? 'it is nested too deeply' : 'it is too complex' };
  }

  return {
    of: (projectId) => ({ parse: (sql, dialect) => turns.take(projectId, () => parseNext(sql, dialect)) }),
    async stop() {
      await turns.idle();
      await replaceWorker();
    },
  };
}

function startWorker(): Worker {
  const library = createRequire(import.meta.url).resolve('@guanmingchiu/sqlparser-ts');
  const worker = new Worker(THREAD, {
    eval: true,
    workerData: library,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  worker.unref();
  // The pending call detects the error through `exit`.
  worker.on('error', () => undefined);
  return worker;
}

/** Returns the thread's next message; undefined when it times out or exits. */
function nextMessage(worker: Worker, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(undefined), timeoutMs);
    const onMessage = (message: unknown) => settle(message);
    const onDeath = () => settle(undefined);
    function settle(message: unknown): void {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onDeath);
      resolve(message);
    }
    worker.on('message', onMessage).on('exit', onDeath);
  });
}

/** Returns why the parser rejects a text; undefined when the parser itself failed. */
function parseFault(message: string): string | undefined {
  if (/^sql parser error: recursion limit/.test(message)) return 'it is nested too deeply';
  if (
    /out of bounds|unreachable|stack|recursive|null function|table index/i.test(message) &&
    !/ at Line: \d/.test(message)
  ) {
    return undefined;
  }
  return message.replace(/^sql parser error: /, '');
}
