import type { Queryable } from '@tollgate/postgres';
import type { ToolHookEvent, ToolHookStatus } from '../domain/tool-hooks/tool-hook.js';
import * as sql from './gen/tool-hooks.js';

export async function insertToolHookEvent(db: Queryable, event: ToolHookEvent): Promise<void> {
  const { responseStatus = null, error = null } = event;
  await sql.insertToolHookEvent(db, { ...event, responseStatus, error });
}

interface Row {
  id: string;
  hook_id: string;
  request_id: string;
  tool_call_id: string;
  status: ToolHookStatus;
  response_status: number | null;
  response_body: string;
  latency_ms: number | null;
  error: string | null;
  created_at: Date;
}

/** Newest first. */
export async function selectToolHookEvents(
  db: Queryable,
  hookId: string,
  page: { limit: number; offset: number },
): Promise<ToolHookEvent[]> {
  const { rows } = await db.query<Row>(
    `SELECT id, hook_id, request_id, tool_call_id, status, response_status, response_body, latency_ms, error, created_at
     FROM tool_hook_events WHERE hook_id = $1 ORDER BY seq DESC LIMIT $2 OFFSET $3`,
    [hookId, page.limit, page.offset],
  );
  return rows.map((row) => ({
    id: row.id,
    hookId: row.hook_id,
    requestId: row.request_id,
    toolCallId: row.tool_call_id,
    status: row.status,
    responseStatus: row.response_status ?? undefined,
    responseBody: row.response_body,
    latencyMs: row.latency_ms ?? 0,
    error: row.error ?? undefined,
    createdAt: row.created_at,
  }));
}
