import type { Queryable } from '@tollgate/postgres';

/** The hold of a response that waits. */
export interface WaitingHold {
  id: string;
  attempt: number;
}

/**
 * Takes holds that are due to be kept alive, and reschedules them: each three times in the time that it lives, so that a lost report does
 * not let it expire. Inference reports the progress of those that were dispatched.
 */
export async function takeWaitingHolds(db: Queryable, limit: number): Promise<WaitingHold[]> {
  const result = await db.query<WaitingHold>({
    name: 'background_responses.take_holds',
    text: `
      UPDATE background_responses SET hold_due_at = now() + hold_ttl_ms / 3 * interval '1 ms'
      WHERE id = ANY (ARRAY(
        SELECT id FROM background_responses
        WHERE ended_at IS NULL AND NOT is_dispatched AND hold_due_at <= now() AND expires_at > now()
        ORDER BY hold_due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING id, attempt`,
    values: [limit],
  });
  return result.rows;
}
