import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SqlDialect } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import { createTurns } from './turns.js';

/** What the parser makes of a text. */
export type ParsedSql =
  | { ok: true; statements: unknown[] /** The same statements, written anew. */; text: string }
  | { ok: false; reason: string };

export interface StatementParser {
  parse(sql: string, dialect: SqlDialect): Promise<ParsedSql>;
}

export interface SqlParser {
  /** For the statements of one project: projects take turns, so that one with slow statements does not hold up the others. */
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
 * A statement within the size limit takes a few milliseconds. In some that are nested deeply, though, the parser tries ways
 * without number: those are given up.
 */
const PARSE_TIMEOUT_MS = 1_500;
const START_TIMEOUT_MS = 15_000;
/** Of one project. */
const WAITING_MAX = 64;

/** Plain text, because it has to run from sources and from the build alike. */
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
 * The parser in a thread of its own, one statement at a time. Its memory does not survive a statement that is nested too
 * deeply, and nobody knows what else a stranger's text may do to it, so after any mishap the thread is replaced.
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
    if ((await messageOf(started, START_TIMEOUT_MS)) !== undefined) return started;
    await replaceWorker();
    throw new AppError('SERVICE_UNAVAILABLE', 'the parser does not start');
  }

  async function parseNext(sql: string, dialect: SqlDialect): Promise<ParsedSql> {
    const thread = await readyWorker();
    thread.postMessage({ sql, dialect: DIALECT_OF_LIBRARY[dialect] });
    const answer = (await messageOf(thread, PARSE_TIMEOUT_MS)) as Answer | undefined;
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
  // Whoever waits for an answer hears of it by itself.
  worker.on('error', () => undefined);
  return worker;
}

/** What the thread says next. Undefined = nothing in time, or it died. */
function messageOf(worker: Worker, timeoutMs: number): Promise<unknown> {
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

/** What the parser has against a text; undefined when it is the parser itself that broke. */
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
