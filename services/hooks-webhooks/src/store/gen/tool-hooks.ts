// Generated from tool-hooks.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { FailBehavior, ToolHookType } from '../../domain/tool-hooks/tool-hook.js';

export interface InsertToolHookRowInput {
  id: string;
  projectId: string;
  hookType: string;
  endpointUrl: string;
  enabled: boolean;
  timeoutMs: number;
  failBehavior: string;
  toolsAllowlist: readonly (string | null)[];
  allowMutation: boolean;
  secretKeyId: string;
  secretSealed: Uint8Array;
  createdAt: Date;
  updatedAt: Date;
  max: bigint | number;
}

const INSERT_TOOL_HOOK_ROW = `
  INSERT INTO tool_hooks (id, project_id, hook_type, endpoint_url, enabled, timeout_ms, fail_behavior, tools_allowlist,
    allow_mutation, secret_key_id, secret_sealed, created_at, updated_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8,
    $9, $10, $11, $12, $13
  WHERE (SELECT count(*) FROM tool_hooks WHERE project_id = $2 AND deleted_at IS NULL) < $14`;

/** Inserts nothing when the project has `max` tool hooks. */
export async function insertToolHookRow(db: Queryable, input: InsertToolHookRowInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_tool_hook_row',
    text: INSERT_TOOL_HOOK_ROW,
    values: [
      input.id,
      input.projectId,
      input.hookType,
      input.endpointUrl,
      input.enabled,
      input.timeoutMs,
      input.failBehavior,
      input.toolsAllowlist,
      input.allowMutation,
      input.secretKeyId,
      input.secretSealed,
      input.createdAt,
      input.updatedAt,
      input.max,
    ],
  });
  return rowCount ?? 0;
}

export interface ChangeToolHookInput {
  endpointUrl: string;
  enabled: boolean;
  timeoutMs: number;
  failBehavior: string;
  toolsAllowlist: readonly (string | null)[];
  allowMutation: boolean;
  updatedAt: Date;
  secretKeyId: string | null;
  secretSealed: Uint8Array | null;
  id: string;
  projectId: string;
}

export interface ChangeToolHookRow {
  id: string;
  project_id: string;
  hook_type: ToolHookType;
  endpoint_url: string;
  enabled: boolean;
  timeout_ms: number;
  fail_behavior: FailBehavior;
  tools_allowlist: string[];
  allow_mutation: boolean;
  secret_key_id: string;
  secret_sealed: Buffer;
  created_at: Date;
  updated_at: Date;
}

const CHANGE_TOOL_HOOK = `
  UPDATE tool_hooks
  SET endpoint_url = $1, enabled = $2, timeout_ms = $3, fail_behavior = $4,
    tools_allowlist = $5, allow_mutation = $6, updated_at = $7,
    secret_key_id = coalesce($8, secret_key_id), secret_sealed = coalesce($9, secret_sealed)
  WHERE id = $10 AND project_id = $11 AND deleted_at IS NULL
  RETURNING id, project_id, hook_type, endpoint_url, enabled, timeout_ms, fail_behavior, tools_allowlist, allow_mutation,
    secret_key_id, secret_sealed, created_at, updated_at`;

/** Keeps the secret that is null. */
export async function changeToolHook(db: Queryable, input: ChangeToolHookInput): Promise<ChangeToolHookRow | undefined> {
  const { rows } = await db.query<ChangeToolHookRow>({
    name: 'change_tool_hook',
    text: CHANGE_TOOL_HOOK,
    values: [
      input.endpointUrl,
      input.enabled,
      input.timeoutMs,
      input.failBehavior,
      input.toolsAllowlist,
      input.allowMutation,
      input.updatedAt,
      input.secretKeyId,
      input.secretSealed,
      input.id,
      input.projectId,
    ],
  });
  return rows[0];
}

export interface InsertToolHookEventInput {
  id: string;
  hookId: string;
  requestId: string;
  toolCallId: string;
  status: string;
  responseStatus: number | null;
  responseBody: string;
  latencyMs: number;
  error: string | null;
  createdAt: Date;
}

const INSERT_TOOL_HOOK_EVENT = `
  INSERT INTO tool_hook_events
    (id, hook_id, request_id, tool_call_id, status, response_status, response_body, latency_ms, error, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

export async function insertToolHookEvent(db: Queryable, input: InsertToolHookEventInput): Promise<void> {
  await db.query({
    name: 'insert_tool_hook_event',
    text: INSERT_TOOL_HOOK_EVENT,
    values: [
      input.id,
      input.hookId,
      input.requestId,
      input.toolCallId,
      input.status,
      input.responseStatus,
      input.responseBody,
      input.latencyMs,
      input.error,
      input.createdAt,
    ],
  });
}
