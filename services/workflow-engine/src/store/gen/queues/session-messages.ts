// Generated from queues/session-messages.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface TakeSessionMessagesInput {
  limit: bigint | number;
}

export interface TakeSessionMessagesRow {
  runId: string;
  sessionId: string;
  content: string;
  tries: number;
  principal: Buffer;
}

const TAKE_SESSION_MESSAGES = `
  WITH due AS (
    SELECT run_id FROM run_session_messages WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE run_session_messages m
  SET tries = tries + 1, due_at = now() + least(3600, 0.25 * 2 ^ least(tries + 1, 14)) * interval '1 s'
  FROM due, runs
  WHERE m.run_id = due.run_id AND runs.run_id = m.run_id
  RETURNING m.run_id AS "runId", m.session_id AS "sessionId", m.content, m.tries, runs.principal`;

/** Takes due messages and reschedules them, in case this process fails before it has appended them. */
export async function takeSessionMessages(db: Queryable, input: TakeSessionMessagesInput): Promise<TakeSessionMessagesRow[]> {
  const { rows } = await db.query<TakeSessionMessagesRow>({
    name: 'take_session_messages',
    text: TAKE_SESSION_MESSAGES,
    values: [
      input.limit,
    ],
  });
  return rows;
}
