import type { Queryable, Tx } from '@tollgate/postgres';

/** The message that a run appends to its session. */
export interface RunSessionMessage {
  runId: string;
  sessionId: string;
  content: string;
}

export async function insertSessionMessage(tx: Tx, { runId, sessionId, content }: RunSessionMessage): Promise<void> {
  await tx.query({
    name: 'run_session_messages.insert',
    text: 'INSERT INTO run_session_messages (run_id, session_id, content) VALUES ($1, $2, $3)',
    values: [runId, sessionId, content],
  });
}

export interface DueSessionMessage extends RunSessionMessage {
  tries: number;
  /** The serialized principal that started the run. */
  principal: Buffer;
}

interface Row {
  run_id: string;
  session_id: string;
  content: string;
  tries: number;
  principal: Buffer;
}

/** Takes up to `limit` due messages and reschedules them, in case this process fails before it has appended them. */
export async function takeSessionMessages(db: Queryable, limit: number): Promise<DueSessionMessage[]> {
  const result = await db.query<Row>({
    name: 'run_session_messages.take',
    text: `
      WITH due AS (
        SELECT run_id FROM run_session_messages WHERE due_at <= now()
        ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      UPDATE run_session_messages m
      SET tries = tries + 1, due_at = now() + least(3600, 0.25 * 2 ^ least(tries + 1, 14)) * interval '1 s'
      FROM due, runs WHERE m.run_id = due.run_id AND runs.run_id = m.run_id
      RETURNING m.run_id, m.session_id, m.content, m.tries, runs.principal`,
    values: [limit],
  });
  return result.rows.map((row) => ({
    runId: row.run_id,
    sessionId: row.session_id,
    content: row.content,
    tries: row.tries,
    principal: row.principal,
  }));
}

export async function deleteSessionMessage(db: Queryable, runId: string): Promise<void> {
  await db.query({
    name: 'run_session_messages.delete',
    text: 'DELETE FROM run_session_messages WHERE run_id = $1',
    values: [runId],
  });
}
