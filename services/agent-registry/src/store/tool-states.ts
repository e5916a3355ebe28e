import type { Queryable, Tx } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import { parseToolState, type ToolState } from '@tollgate/tools';
import type { Scope } from '../domain/scope.js';

/** The state handle or session that holds key-value pairs and tasks. */
export type ToolScope = { kind: 'state_handle' | 'session'; id: string };

/** Locks the scope's row until the transaction ends and reads its state; undefined when the caller cannot access it. */
export async function lockToolState(tx: Tx, owner: Scope, scope: ToolScope, now: Date): Promise<ToolState | undefined> {
  if (!isUuid(scope.id)) return undefined;
  if (scope.kind === 'session') return lockSessionState(tx, owner, scope.id);
  return (await lockHandle(tx, owner, scope.id, now)) ? readHandleState(tx, scope.id) : undefined;
}

/** Requires `lockToolState` in the same transaction. */
export async function writeToolState(tx: Tx, scope: ToolScope, state: ToolState, now: Date): Promise<void> {
  const json = JSON.stringify(state);
  if (scope.kind === 'session') {
    await tx.query('UPDATE sessions SET tool_state = $2, updated_at = $3 WHERE id = $1', [scope.id, json, now]);
    return;
  }
  await tx.query(
    `INSERT INTO state_handle_contents (state_id, state) VALUES ($1, $2)
     ON CONFLICT (state_id) DO UPDATE SET state = excluded.state`,
    [scope.id, json],
  );
}

async function lockSessionState(tx: Tx, owner: Scope, id: string): Promise<ToolState | undefined> {
  const { rows } = await tx.query<{ state: string }>(
    `SELECT tool_state::text AS state FROM sessions
     WHERE id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3) FOR UPDATE`,
    [id, owner.projectId, owner.customerId ?? null],
  );
  return rows[0] && parseToolState(rows[0].state);
}

async function lockHandle(tx: Tx, owner: Scope, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM state_handles
     WHERE id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
       AND (expires_at IS NULL OR expires_at > $4) FOR UPDATE`,
    [id, owner.projectId, owner.customerId ?? null, now],
  );
  return rowCount === 1;
}

/** Under a lock this is a separate statement, so that it sees the writes of the lock's last holder. */
export async function readHandleState(tx: Queryable, id: string): Promise<ToolState> {
  const { rows } = await tx.query<{ state: string }>(
    'SELECT state::text AS state FROM state_handle_contents WHERE state_id = $1',
    [id],
  );
  return parseToolState(rows[0]?.state ?? '');
}
