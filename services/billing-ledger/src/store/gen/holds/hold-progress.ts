// Generated from holds/hold-progress.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, uuidArray } from '@tollgate/postgres/columns';

export interface RecordProgressInput {
  ttlMs: number;
  inputTokens: bigint | number;
  outputTokens: bigint | number;
  holdId: string;
}

const RECORD_PROGRESS = `
  UPDATE holds
  SET expires_at = now() + $1::int * interval '1 millisecond',
    progress_input_tokens = greatest(progress_input_tokens, $2),
    progress_output_tokens = greatest(progress_output_tokens, $3)
  WHERE request_id = $4 AND state = 0`;

/** Postpones an open hold's expiry and stores its progress, which never decreases. */
export async function recordProgress(db: Queryable, input: RecordProgressInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'record_progress',
    text: RECORD_PROGRESS,
    values: [
      input.ttlMs,
      input.inputTokens,
      input.outputTokens,
      input.holdId,
    ],
  });
  return rowCount ?? 0;
}

/** A row of `reports`. */
export interface RecordProgressTogetherReportsRow {
  requestId: string;
  inputTokens: bigint | number;
  outputTokens: bigint | number;
}

export interface RecordProgressTogetherInput {
  reports: readonly RecordProgressTogetherReportsRow[];
  ttlMs: number;
}

export interface RecordProgressTogetherRow {
  request_id: string;
  is_recorded: boolean;
}

const RECORD_PROGRESS_TOGETHER = `
  WITH free AS (
    SELECT request_id
    FROM holds
    WHERE request_id = ANY ($1::uuid[]) AND state = 0
    FOR NO KEY UPDATE SKIP LOCKED
  ),
  recorded AS (
    UPDATE holds h
    SET expires_at = now() + $3::int * interval '1 millisecond',
      progress_input_tokens = greatest(progress_input_tokens, t.input_tokens),
      progress_output_tokens = greatest(progress_output_tokens, t.output_tokens)
    FROM free JOIN (SELECT ($1::uuid[])[nth.i] AS request_id, ($2::bigint[])[nth.i][1] AS input_tokens, ($2::bigint[])[nth.i][2] AS output_tokens FROM generate_subscripts($1::uuid[], 1) AS nth (i)) AS t USING (request_id)
    WHERE h.request_id = free.request_id
    RETURNING h.request_id
  )
  SELECT h.request_id AS "request_id", r.request_id IS NOT NULL AS "is_recorded"
  FROM holds h LEFT JOIN recorded r USING (request_id)
  WHERE h.request_id = ANY ($1::uuid[]) AND h.state = 0`;

/**
 * Does what `record_progress` does for many holds, except for those that another transaction has locked: it waits for none.
 * Returns the open holds, and whether they are recorded.
 */
export async function recordProgressTogether(db: Queryable, input: RecordProgressTogetherInput): Promise<RecordProgressTogetherRow[]> {
  const { rows } = await db.query<RecordProgressTogetherRow>({
    name: 'record_progress_together',
    text: RECORD_PROGRESS_TOGETHER,
    values: [
      uuidArray(input.reports, [(r) => r.requestId]),
      bigintArray(input.reports, [(r) => r.inputTokens, (r) => r.outputTokens]),
      input.ttlMs,
    ],
  });
  return rows;
}
