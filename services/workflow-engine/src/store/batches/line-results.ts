import type { Tx } from '@tollgate/postgres';
import type { LineResult } from '../../domain/batches/answer-line.js';

/**
 * Reads a page of results in the order of the input, after a line; an empty page is the end. A page ends with the answer that fills
 * its bytes. `requestId` is filled by the caller.
 */
export async function readResults(
  tx: Tx,
  batchId: string,
  after: number,
  { lines, bytes }: { lines: number; bytes: number },
): Promise<(Omit<LineResult, 'requestId'> & { attempt: number })[]> {
  const result = await tx.query<{
    line: number;
    custom_id: string;
    status_code: number | null;
    answer: string | null;
    attempt: number;
  }>({
    name: 'batch_lines.results',
    text: `
      SELECT line, custom_id, status_code, answer, attempt FROM (
        SELECT p.*, sum(coalesce(octet_length(answer), 0)) OVER (ORDER BY line) - coalesce(octet_length(answer), 0) AS before
        FROM (SELECT line, custom_id, status_code, answer, attempt FROM batch_lines
              WHERE batch_id = $1 AND line > $2 ORDER BY line LIMIT $3) AS p) AS q
      WHERE before < $4 ORDER BY line`,
    values: [batchId, after, lines, bytes],
  });
  return result.rows.map((row) => ({
    line: row.line,
    customId: row.custom_id,
    statusCode: row.status_code,
    answer: row.answer,
    attempt: row.attempt,
  }));
}
