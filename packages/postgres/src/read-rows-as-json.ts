import type pg from 'pg';

export interface RowsQuery {
  table: string;
  /** Selects rows by the id `$1`. */
  sql: string;
}

const ROWS_PER_PAGE = 200;

/** Reads the rows of several queries as one state of the database, page by page; each row is the text of a JSON object. */
export async function* readRowsAsJson(
  pool: pg.Pool,
  queries: readonly RowsQuery[],
  id: string,
): AsyncGenerator<{ table: string; row: string }> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    for (const { table, sql } of queries) {
      await client.query(
        `DECLARE rows_as_json CURSOR FOR SELECT row_to_json(found)::text AS row FROM (${sql}) AS found`,
        [id],
      );
      for (;;) {
        const page = await client.query<{ row: string }>(`FETCH ${ROWS_PER_PAGE} FROM rows_as_json`);
        for (const { row } of page.rows) yield { table, row };
        if (page.rows.length < ROWS_PER_PAGE) break;
      }
      await client.query('CLOSE rows_as_json');
    }
    await client.query('COMMIT');
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A reader that stops early leaves the transaction open: the connection is not reused.
    client.release(failure ?? true);
  }
}
