import type { Queryable } from '@tollgate/postgres';

/** A background response that may have been queued, although its client got an error. */
export interface LostResponse {
  /** Hold of its first attempt. */
  holdId: string;
  principal: Uint8Array;
}

/** The process that inserts it discards it at once; others leave it alone for so long. */
const FIRST_TRY_MS = 30_000;

export async function insertLostResponse(db: Queryable, { holdId, principal }: LostResponse): Promise<void> {
  await db.query(
    `INSERT INTO lost_responses (hold_id, principal, due_at) VALUES ($1, $2, now() + $3 * interval '1 ms')
     ON CONFLICT (hold_id) DO NOTHING`,
    [holdId, principal, FIRST_TRY_MS],
  );
}

/** Takes due responses and reschedules them with growing delays. */
export async function takeLostResponses(
  db: Queryable,
  limit: number,
): Promise<(LostResponse & { tries: number; ageMs: number })[]> {
  const { rows } = await db.query<{ holdId: string; principal: Buffer; tries: number; ageMs: number }>(
    `UPDATE lost_responses SET tries = tries + 1, due_at = now() + least(600, 2 ^ least(tries + 1, 10)) * interval '1 s'
      WHERE hold_id = ANY (ARRAY(
        SELECT hold_id FROM lost_responses WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING hold_id AS "holdId", principal, tries, (extract(epoch FROM now() - created_at) * 1000)::float AS "ageMs"`,
    [limit],
  );
  return rows;
}

export async function deleteLostResponse(db: Queryable, holdId: string): Promise<void> {
  await db.query('DELETE FROM lost_responses WHERE hold_id = $1', [holdId]);
}
