import type { Queryable, Tx } from '@tollgate/postgres';
import * as sql from '../gen/queues/session-messages.js';

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

/** Takes up to `limit` due messages and reschedules them, in case this process fails before it has appended them. */
export async function takeSessionMessages(db: Queryable, limit: number): Promise<DueSessionMessage[]> {
  return sql.takeSessionMessages(db, { limit });
}

export async function deleteSessionMessage(db: Queryable, runId: string): Promise<void> {
  await db.query({
    name: 'run_session_messages.delete',
    text: 'DELETE FROM run_session_messages WHERE run_id = $1',
    values: [runId],
  });
}
