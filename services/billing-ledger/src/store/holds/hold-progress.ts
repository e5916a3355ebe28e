import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';
import { HOLD_STATES } from '../../domain/hold.js';

/** Postpones an open hold's expiry and stores its progress, which never decreases. Returns false if the hold has ended. */
export async function recordProgress(
  db: Queryable,
  { holdId, inputTokens, outputTokens }: ProgressReport,
  ttlMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'record_progress',
    text: `UPDATE holds SET expires_at = now() + $2::int * interval '1 millisecond',
        progress_input_tokens = greatest(progress_input_tokens, $3), progress_output_tokens = greatest(progress_output_tokens, $4)
      WHERE request_id = $1 AND state = ${HOLD_STATES.open}`,
    values: [holdId, ttlMs, inputTokens, outputTokens],
  });
  return rowCount === 1;
}

/** The usage of running work under a hold. */
export interface ProgressReport {
  holdId: string;
  inputTokens: bigint;
  outputTokens: bigint;
}

/** The outcome of the reports of one statement. */
export interface RecordedProgress {
  /** Holds that it changed. */
  recorded: ReadonlySet<string>;
  /** Open holds that another transaction has locked. All others have ended, or never existed. */
  locked: ReadonlySet<string>;
}

/**
 * Does what `recordProgress` does for many holds in one statement, each of them once, except for those that another
 * transaction has locked: it waits for none.
 */
export async function recordProgressTogether(
  db: Queryable,
  reports: readonly ProgressReport[],
  ttlMs: number,
): Promise<RecordedProgress> {
  const { rows } = await db.query<{ request_id: string; is_recorded: boolean }>({
    name: 'record_progress_together',
    // The last part reads the rows as they were before the update.
    text: `WITH free AS (SELECT request_id FROM holds WHERE request_id = ANY($1::uuid[]) AND state = ${HOLD_STATES.open}
          FOR NO KEY UPDATE SKIP LOCKED),
      recorded AS (UPDATE holds h SET expires_at = now() + $2::int * interval '1 millisecond',
          progress_input_tokens = greatest(progress_input_tokens, t.input_tokens),
          progress_output_tokens = greatest(progress_output_tokens, t.output_tokens)
        FROM free JOIN unnest($1::uuid[], $3::bigint[], $4::bigint[]) AS t (request_id, input_tokens, output_tokens) USING (request_id)
        WHERE h.request_id = free.request_id RETURNING h.request_id)
      SELECT h.request_id, r.request_id IS NOT NULL AS is_recorded FROM holds h LEFT JOIN recorded r USING (request_id)
      WHERE h.request_id = ANY($1::uuid[]) AND h.state = ${HOLD_STATES.open}`,
    values: [
      arrayLiteral(reports.map(({ holdId }) => holdId)),
      ttlMs,
      arrayLiteral(reports.map(({ inputTokens }) => inputTokens)),
      arrayLiteral(reports.map(({ outputTokens }) => outputTokens)),
    ],
  });
  const recorded = new Set<string>();
  const locked = new Set<string>();
  for (const { request_id: holdId, is_recorded: isRecorded } of rows) (isRecorded ? recorded : locked).add(holdId);
  return { recorded, locked };
}
