// Loaded by the thread of clients/sql-check-thread.ts.
import type { SqlPolicy } from '@tollgate/api/state';
import { isAppError, toWire, type WireError } from '@tollgate/errors';
import { loadSqlParser } from './clients/sql-parser.js';
import { type ValidSql, validateSql } from './operations/sql/validate-sql.js';

export interface SqlCheck {
  sql: string;
  policy: SqlPolicy;
}

export type SqlCheckOutcome = { valid: ValidSql } | { refusal: WireError };

const parser = loadSqlParser();

/** Checks a statement. @throws ParserFailedError, which ends the thread */
export async function run({ sql, policy }: SqlCheck): Promise<SqlCheckOutcome> {
  try {
    return { valid: validateSql(await parser, sql, policy) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { refusal: toWire(error) };
  }
}
