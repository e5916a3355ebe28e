import { sessionLimits } from '@tollgate/api/state';
import type { Tx } from '@tollgate/postgres';
import type pg from 'pg';
import type { Scope } from '../domain/scope.js';
import type { SessionMessage } from '../domain/session.js';
import { appendSessionMessage } from './gen/sessions.js';

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
  const appended = await appendSessionMessage(pool, {
    sessionId,
    projectId: scope.projectId,
    customerId: scope.customerId ?? null,
    messageId: message.id,
    role: message.role,
    content: message.contentJson,
    contentBytes: Buffer.byteLength(message.contentJson),
    runId: message.runId ?? null,
    createdAt: message.createdAt,
    messagesMax: sessionLimits.messages,
    bytesMax: sessionLimits.messageBytes,
  });
  return appended?.seq;
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
