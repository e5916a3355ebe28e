import type { Tx } from '@tollgate/postgres';
import { parseExactJson, writeExactJson } from '@tollgate/runtime';
import { isUuid } from '@tollgate/runtime/uuid';
import { parseToolState } from '@tollgate/tools';
import type pg from 'pg';
import { z } from 'zod';
import type { Scope } from '../domain/scope.js';
import type { Session } from '../domain/session.js';
import { insertSessionRow } from './gen/sessions.js';
import { parseStored } from './json-columns.js';

interface Row {
  id: string;
  project_id: string;
  customer_id: string | null;
  metadata: string;
  tool_state: string;
  message_count: number;
  created_at: Date;
  updated_at: Date;
}

type Db = pg.Pool | Tx;

const storedMetadata = z.record(z.string(), z.unknown());

const COLUMNS = `id, project_id, customer_id, metadata::text AS metadata, tool_state::text AS tool_state, message_count,
  created_at, updated_at`;
/** Parameters 1 and 2: the project, and the customer or null for the whole project. */
const IN_SCOPE = 'project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)';

export async function insertSession(db: Db, session: Session): Promise<void> {
  const { customerId = null, metadata, toolState } = session;
  const json = { metadata: writeExactJson(metadata), toolState: JSON.stringify(toolState) };
  await insertSessionRow(db, { ...session, customerId, ...json });
}

export async function findSession(db: Db, scope: Scope, id: string): Promise<Session | undefined> {
  return selectSession(db, scope, id, '');
}

/** Locks the row until the transaction ends. */
export async function lockSession(tx: Tx, scope: Scope, id: string): Promise<Session | undefined> {
  return selectSession(tx, scope, id, 'FOR UPDATE');
}

/** Newest first. */
export async function listSessions(db: Db, scope: Scope, page: { take: number; skip: number }): Promise<Session[]> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM sessions WHERE ${IN_SCOPE} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
    [scope.projectId, scope.customerId ?? null, page.take, page.skip],
  );
  return rows.map(toSession);
}

/** Requires `lockSession` in the same transaction. */
export async function writeSession(
  tx: Tx,
  { id, metadata, toolState, updatedAt }: Pick<Session, 'id' | 'metadata' | 'toolState' | 'updatedAt'>,
): Promise<void> {
  await tx.query('UPDATE sessions SET metadata = $2, tool_state = $3, updated_at = $4 WHERE id = $1', [
    id,
    writeExactJson(metadata),
    JSON.stringify(toolState),
    updatedAt,
  ]);
}

/** Deletes a session with its messages. Returns false when no such session is in scope. */
export async function deleteSession(db: Db, scope: Scope, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rowCount } = await db.query(`DELETE FROM sessions WHERE ${IN_SCOPE} AND id = $3`, [
    scope.projectId,
    scope.customerId ?? null,
    id,
  ]);
  return rowCount === 1;
}

async function selectSession(db: Db, scope: Scope, id: string, lock: string): Promise<Session | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await db.query<Row>(`SELECT ${COLUMNS} FROM sessions WHERE ${IN_SCOPE} AND id = $3 ${lock}`, [
    scope.projectId,
    scope.customerId ?? null,
    id,
  ]);
  return rows[0] && toSession(rows[0]);
}

function toSession(row: Row): Session {
  return {
    id: row.id,
    projectId: row.project_id,
    customerId: row.customer_id ?? undefined,
    metadata: parseStored(storedMetadata, parseExactJson(row.metadata), `metadata of session ${row.id}`),
    toolState: parseToolState(row.tool_state),
    messageCount: row.message_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
