import { lockUntilCommit, type Queryable, type Tx } from '@tollgate/postgres';
import type { SealedSecret } from '@tollgate/runtime/secret-box';
import { isUuid } from '@tollgate/runtime/uuid';
import type { ToolHook, ToolHookSettings, ToolHookType } from '../domain/tool-hooks/tool-hook.js';
import { changeToolHook, insertToolHookRow, type ChangeToolHookRow as Row } from './gen/tool-hooks.js';
import { toSealedSecret, toSecretInput } from './sealed-secrets.js';

const COLUMNS = `id, project_id, hook_type, endpoint_url, enabled, timeout_ms, fail_behavior, tools_allowlist,
  allow_mutation, secret_key_id, secret_sealed, created_at, updated_at`;
/** Oldest first: the order in which hooks are called. */
const IN_ORDER = 'ORDER BY created_at, seq';

/** Returns false, and inserts nothing, when the project has `max` tool hooks. */
export async function insertToolHook(tx: Tx, hook: ToolHook, max: number): Promise<boolean> {
  await lockUntilCommit(tx, `tool_hooks of ${hook.projectId}`);
  return (await insertToolHookRow(tx, { ...hook, ...toSecretInput(hook.secret), max })) === 1;
}

export async function findToolHook(db: Queryable, projectId: string, id: string): Promise<ToolHook | undefined> {
  if (!isUuid(id)) return undefined;
  const [hook] = await selectToolHooksById(db, projectId, [id]);
  return hook;
}

export async function selectToolHooksById(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ToolHook[]> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM tool_hooks WHERE id = ANY ($1::uuid[]) AND project_id = $2 AND deleted_at IS NULL`,
    [ids, projectId],
  );
  return rows.map(toToolHook);
}

export async function selectToolHooks(
  db: Queryable,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<ToolHook[]> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM tool_hooks WHERE project_id = $1 AND deleted_at IS NULL ${IN_ORDER} LIMIT $2 OFFSET $3`,
    [projectId, page.limit, page.offset],
  );
  return rows.map(toToolHook);
}

/** Returns the enabled hooks of one type, in the order in which they are called. */
export async function selectActiveHooks(db: Queryable, projectId: string, hookType: ToolHookType): Promise<ToolHook[]> {
  const { rows } = await db.query<Row>({
    name: 'tool_hooks.active',
    text: `SELECT ${COLUMNS} FROM tool_hooks
           WHERE project_id = $1 AND hook_type = $2 AND enabled AND deleted_at IS NULL ${IN_ORDER}`,
    values: [projectId, hookType],
  });
  return rows.map(toToolHook);
}

export interface ToolHookChange extends ToolHookSettings {
  secret: SealedSecret | undefined;
  updatedAt: Date;
}

/** Returns undefined when the hook was deleted. */
export async function updateToolHook(
  db: Queryable,
  projectId: string,
  id: string,
  change: ToolHookChange,
): Promise<ToolHook | undefined> {
  const row = await changeToolHook(db, { ...change, ...toSecretInput(change.secret), id, projectId });
  return row && toToolHook(row);
}

/** Returns false when no such hook exists. */
export async function markToolHookDeleted(db: Queryable, projectId: string, id: string, now: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rowCount } = await db.query(
    'UPDATE tool_hooks SET deleted_at = $3 WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL',
    [id, projectId, now],
  );
  return rowCount === 1;
}

export async function markToolHooksDeleted(db: Queryable, projectId: string, now: Date): Promise<void> {
  await db.query('UPDATE tool_hooks SET deleted_at = $2 WHERE project_id = $1 AND deleted_at IS NULL', [
    projectId,
    now,
  ]);
}

function toToolHook(row: Row): ToolHook {
  return {
    id: row.id,
    projectId: row.project_id,
    hookType: row.hook_type,
    endpointUrl: row.endpoint_url,
    enabled: row.enabled,
    timeoutMs: row.timeout_ms,
    failBehavior: row.fail_behavior,
    toolsAllowlist: row.tools_allowlist,
    allowMutation: row.allow_mutation,
    secret: toSealedSecret(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
