import { createRequire } from 'node:module';
import type { SqlDialect } from '@tollgate/api/state';

/** The parser's result for one text. */
export type ParsedSql =
  | { ok: true; statements: unknown[] /** The same statements, written by the parser. */; text: string }
  | { ok: false; reason: string };

export interface StatementParser {
  /** @throws ParserFailedError */
  parse(sql: string, dialect: SqlDialect): ParsedSql;
}

/** The parser itself has failed. Its memory may be corrupt, so that its thread must end. */
export class ParserFailedError extends Error {
  static readonly message = 'the SQL parser has failed';

  constructor(cause: unknown) {
    super(ParserFailedError.message, { cause });
  }
}

interface Library {
  init(): Promise<void>;
  parse(sql: string, dialect: string): unknown[];
  format(sql: string, dialect: string): string;
}

const DIALECT_OF_LIBRARY: Record<SqlDialect, string> = {
  sqlite: 'sqlite',
  postgres: 'postgresql',
  mysql: 'mysql',
  sqlserver: 'mssql',
};

/** Loads the parser into this thread, which should be a worker: a long statement takes a tenth of a second. */
export async function loadSqlParser(): Promise<StatementParser> {
  // A bundle leaves the package out, because only the thread may load it.
  const library: Library = createRequire(import.meta.url)('@guanmingchiu/sqlparser-ts');
  await library.init();
  return {
    parse(sql, dialect) {
      const name = DIALECT_OF_LIBRARY[dialect];
      try {
        return { ok: true, statements: library.parse(sql, name), text: library.format(sql, name) };
      } catch (error) {
        const reason = parseFault(String(error instanceof Error ? error.message : error));
        if (reason === undefined) throw new ParserFailedError(error);
        return { ok: false, reason };
      }
    },
  };
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
