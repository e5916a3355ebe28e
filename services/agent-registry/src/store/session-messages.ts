import { sessionLimits } from '@tollgate/api/state';
import type { Tx } from '@tollgate/postgres';
import type pg from 'pg';
import type { Scope } from '../domain/scope.js';
import type { SessionMessage } from '../domain/session.js';

interface Row {
  id: string;
  seq: number;
  role: string;
  content: string;
  run_id: string | null;
  created_at: Date;
}

/**
 * Appends a message in one statement and returns its seq; undefined when the session is full or not in scope. The seq
 * is the counter on the session's row, so concurrent appends are serialized and leave no gap.
 */
export async function appendMessage(
  pool: pg.Pool,
  scope: Scope,
  sessionId: string,
  message: Omit<SessionMessage, 'seq'>,
): Promise<number | undefined> {
  const { rows } = await pool.query<{ seq: number }>(
    `WITH session AS (
       UPDATE sessions
       SET message_count = message_count + 1, message_bytes = message_bytes + $9, updated_at = $8
       WHERE id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
         AND message_count < $10 AND message_bytes + $9 <= $11
       RETURNING id, message_count
     )
     INSERT INTO session_messages (session_id, seq, id, role, content, run_id, created_at)
     SELECT session.id, session.message_count, $4, $5, $6, $7, $8 FROM session
     RETURNING seq`,
    [
      sessionId,
      scope.projectId,
      scope.customerId ?? null,
      message.id,
      message.role,
      message.contentJson,
      message.runId ?? null,
      message.createdAt,
      Buffer.byteLength(message.contentJson),
      sessionLimits.messages,
      sessionLimits.messageBytes,
    ],
  );
  return rows[0]?.seq;
}

const COLUMNS = 'm.id, m.seq, m.role, m.content::text AS content, m.run_id, m.created_at';

export async function findMessage(
  pool: pg.Pool,
  scope: Scope,
  sessionId: string,
  messageId: string,
): Promise<SessionMessage | undefined> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM session_messages m JOIN sessions s ON s.id = m.session_id
     WHERE m.session_id = $1 AND m.id = $2 AND s.project_id = $3 AND ($4::uuid IS NULL OR s.customer_id = $4)`,
    [sessionId, messageId, scope.projectId, scope.customerId ?? null],
  );
  return rows[0] && toMessage(rows[0]);
}

/** Oldest first. */
export async function listMessages(tx: Tx, sessionId: string): Promise<SessionMessage[]> {
  const { rows } = await tx.query<Row>(
    `SELECT ${COLUMNS} FROM session_messages m WHERE m.session_id = $1 ORDER BY m.seq`,
    [sessionId],
  );
  return rows.map(toMessage);
}

function toMessage({ content, run_id: runId, created_at: createdAt, ...row }: Row): SessionMessage {
  return { ...row, contentJson: content, runId: runId ?? undefined, createdAt };
}

/** Requires a lock on the session's row; without it a concurrently appended message would survive. */
export async function deleteMessages(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.query('DELETE FROM session_messages WHERE session_id = $1', [sessionId]);
  await tx.query('UPDATE sessions SET message_count = 0, message_bytes = 0, updated_at = $2 WHERE id = $1', [
    sessionId,
    now,
  ]);
}
