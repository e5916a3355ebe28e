// Generated from sessions.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertSessionRowInput {
  id: string;
  projectId: string;
  customerId: string | null;
  metadata: string;
  toolState: string;
  createdAt: Date;
}

const INSERT_SESSION_ROW = `
  INSERT INTO sessions (id, project_id, customer_id, metadata, tool_state, message_count, message_bytes, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $6)`;

export async function insertSessionRow(db: Queryable, input: InsertSessionRowInput): Promise<void> {
  await db.query({
    name: 'insert_session_row',
    text: INSERT_SESSION_ROW,
    values: [
      input.id,
      input.projectId,
      input.customerId,
      input.metadata,
      input.toolState,
      input.createdAt,
    ],
  });
}

export interface AppendSessionMessageInput {
  contentBytes: number;
  createdAt: Date;
  sessionId: string;
  projectId: string;
  customerId: string | null;
  messagesMax: number;
  bytesMax: number;
  messageId: string;
  role: string;
  content: string;
  runId: string | null;
}

export interface AppendSessionMessageRow {
  seq: number;
}

const APPEND_SESSION_MESSAGE = `
  WITH session AS (
    UPDATE sessions
    SET message_count = message_count + 1, message_bytes = message_bytes + $1, updated_at = $2
    WHERE id = $3 AND project_id = $4 AND ($5::uuid IS NULL OR customer_id = $5)
      AND message_count < $6 AND message_bytes + $1 <= $7
    RETURNING id, message_count
  )
  INSERT INTO session_messages (session_id, seq, id, role, content, run_id, created_at)
  SELECT session.id, session.message_count, $8, $9, $10, $11, $2 FROM session
  RETURNING seq`;

/** Returns nothing if the session is full or not in scope. */
export async function appendSessionMessage(db: Queryable, input: AppendSessionMessageInput): Promise<AppendSessionMessageRow | undefined> {
  const { rows } = await db.query<AppendSessionMessageRow>({
    name: 'append_session_message',
    text: APPEND_SESSION_MESSAGE,
    values: [
      input.contentBytes,
      input.createdAt,
      input.sessionId,
      input.projectId,
      input.customerId,
      input.messagesMax,
      input.bytesMax,
      input.messageId,
      input.role,
      input.content,
      input.runId,
    ],
  });
  return rows[0];
}

export interface InsertStateHandleRowInput {
  id: string;
  projectId: string;
  customerId: string | null;
  createdAt: Date;
  expiresAt: Date | null;
}

const INSERT_STATE_HANDLE_ROW = `
  INSERT INTO state_handles (id, project_id, customer_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5)`;

export async function insertStateHandleRow(db: Queryable, input: InsertStateHandleRowInput): Promise<void> {
  await db.query({
    name: 'insert_state_handle_row',
    text: INSERT_STATE_HANDLE_ROW,
    values: [
      input.id,
      input.projectId,
      input.customerId,
      input.createdAt,
      input.expiresAt,
    ],
  });
}
