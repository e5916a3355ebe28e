import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SqlDialect } from '@tollgate/api';
import { AppError } from '@tollgate/errors';

/** What the parser makes of a text. */
export type ParsedSql =
  | { ok: true; statements: unknown[] /** The same statements, written anew. */; text: string }
  | { ok: false; reason: string };

export interface SqlParser {
  parse(sql: string, dialect: SqlDialect): Promise<ParsedSql>;
  stop(): Promise<void>;
}

const DIALECT_OF_LIBRARY: Record<SqlDialect, string> = {
  sqlite: 'sqlite',
  postgres: 'postgresql',
  mysql: 'mysql',
  sqlserver: 'mssql',
};

/** A statement within the size limit takes a few milliseconds, the first one some tenths of a second. */
const PARSE_TIMEOUT_MS = 5_000;
const WAITING_MAX = 256;

/** Plain text, because it has to run from sources and from the build alike. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { init, parse, format } = require(workerData);
  parentPort.on('message', async ({ sql, dialect }) => {
    try {
      await init();
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
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function replaceWorker(): Promise<void> {
    const old = worker;
    worker = undefined;
    await old?.terminate();
  }

  async function parseNext(sql: string, dialect: SqlDialect): Promise<ParsedSql> {
    worker ??= startWorker();
    const answer = await ask(worker, { sql, dialect: DIALECT_OF_LIBRARY[dialect] });
    if (answer === undefined) {
      await replaceWorker();
      throw new AppError('SERVICE_UNAVAILABLE', 'the statement could not be parsed in time');
    }
    if (!('error' in answer)) return { ok: true, ...answer };
    const reason = parseFault(answer.error);
    if (reason !== undefined) return { ok: false, reason };
    await replaceWorker();
    return { ok: false, reason: 'it is nested too deeply' };
  }

  return {
    async parse(sql, dialect) {
      if (waiting >= WAITING_MAX) throw new AppError('SERVICE_UNAVAILABLE', 'too many statements are being parsed');
      waiting += 1;
      const turn = last.then(() => parseNext(sql, dialect));
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
    async stop() {
      await last;
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
  return worker;
}

/** Undefined = no answer in time, or the thread died. */
function ask(worker: Worker, question: { sql: string; dialect: string }): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(undefined), PARSE_TIMEOUT_MS);
    const onMessage = (answer: Answer) => settle(answer);
    const onDeath = () => settle(undefined);
    function settle(answer: Answer | undefined): void {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onDeath).off('exit', onDeath);
      worker.on('error', ignore);
      resolve(answer);
    }
    worker.on('message', onMessage).on('error', onDeath).on('exit', onDeath);
    worker.postMessage(question);
  });
}

/** A thread that dies while nobody asks is found dead by the next question. */
function ignore(): void {}

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
