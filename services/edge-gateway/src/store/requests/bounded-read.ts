import { AppError } from '@tollgate/errors';
import { hasCode, QUERY_CANCELED, type Tx, withTransaction } from '@tollgate/postgres';
import type pg from 'pg';

/** A report that takes longer is refused: it must not keep a connection that requests need. */
const REPORT_TIMEOUT_MS = 10_000;
/** SQLSTATE of a statement that its time limit ended. */

/** Runs the statements of one report, which all see the same rows. @throws AppError INVALID_INPUT when they take too long */
export async function readBounded<T>(pool: pg.Pool, read: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await withTransaction(
      pool,
      async (tx) => {
        await tx.query(`SET LOCAL statement_timeout = ${REPORT_TIMEOUT_MS}`);
        return read(tx);
      },
      { isolation: 'repeatable read' },
    );
  } catch (error) {
    if (!hasCode(error, QUERY_CANCELED)) throw error;
    throw new AppError('INVALID_INPUT', 'the report covers too many requests; choose a shorter range', {
      cause: error,
    });
  }
}
