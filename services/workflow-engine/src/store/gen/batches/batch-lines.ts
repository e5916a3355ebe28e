// Generated from batches/batch-lines.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, textArray } from '@tollgate/postgres/columns';

/** A row of `lines`. */
export interface InsertLinesLinesRow {
  line: number;
  customId: string;
  body: string;
}

export interface InsertLinesInput {
  batchId: string;
  accountId: string;
  lines: readonly InsertLinesLinesRow[];
}

export interface InsertLinesRow {
  line: number;
}

const INSERT_LINES = `
  INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body)
  SELECT $1, $2, l.line, l.custom_id, l.body FROM (SELECT ($5::bigint[])[nth.i]::int AS line, nth.custom_id, nth.body FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS nth (custom_id, body, i)) AS l ORDER BY l.line
  ON CONFLICT (batch_id, custom_id) DO NOTHING
  RETURNING line`;

/** Stores lines of a batch. Returns the numbers of those that were stored; the others repeat a `custom_id`. */
export async function insertLines(db: Queryable, input: InsertLinesInput): Promise<InsertLinesRow[]> {
  const { rows } = await db.query<InsertLinesRow>({
    name: 'insert_lines',
    text: INSERT_LINES,
    values: [
      input.batchId,
      input.accountId,
      textArray(input.lines.map((r) => r.customId)),
      textArray(input.lines.map((r) => r.body)),
      bigintArray(input.lines, [(r) => r.line]),
    ],
  });
  return rows;
}

export interface EndLineInput {
  statusCode: number;
  answer: string;
  batchId: string;
  line: number;
  epoch: number;
  isSuccess: boolean;
  inputTokens: bigint | number;
  cachedTokens: bigint | number;
  outputTokens: bigint | number;
  reasoningTokens: bigint | number;
}

const END_LINE = `
  WITH ended AS (
    UPDATE batch_lines
    SET is_done = true, status_code = $1, answer = $2, lease_owner = NULL, lease_until = NULL
    WHERE batch_id = $3 AND line = $4 AND lease_epoch = $5 AND lease_owner IS NOT NULL
    RETURNING batch_id
  )
  UPDATE batches
  SET completed = completed + $6::boolean::int, failed = failed + (NOT $6::boolean)::int,
    status = CASE WHEN status = 'in_progress' AND completed + failed + 1 = total THEN 'finalizing' ELSE status END,
    finalizing_at = CASE WHEN status = 'in_progress' AND completed + failed + 1 = total THEN now() ELSE finalizing_at END,
    input_tokens = input_tokens + $7, cached_tokens = cached_tokens + $8,
    output_tokens = output_tokens + $9, reasoning_tokens = reasoning_tokens + $10
  FROM ended
  WHERE batches.batch_id = ended.batch_id`;

/** Stores the answer of a line and counts it in its batch, which the last line moves on. Changes nothing when the lease was lost. */
export async function endLine(db: Queryable, input: EndLineInput): Promise<void> {
  await db.query({
    name: 'end_line',
    text: END_LINE,
    values: [
      input.statusCode,
      input.answer,
      input.batchId,
      input.line,
      input.epoch,
      input.isSuccess,
      input.inputTokens,
      input.cachedTokens,
      input.outputTokens,
      input.reasoningTokens,
    ],
  });
}
