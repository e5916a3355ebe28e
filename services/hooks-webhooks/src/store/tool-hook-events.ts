import type { Queryable } from '@tollgate/postgres';
import type { ToolHookEvent, ToolHookStatus } from '../domain/tool-hooks/tool-hook-event.js';
import type { PrismaClient } from './generated/client.js';

export async function insertToolHookEvent(db: Queryable, event: ToolHookEvent): Promise<void> {
  await db.query({
    name: 'tool_hook_events.insert',
    text: `INSERT INTO tool_hook_events
             (id, hook_id, request_id, tool_call_id, status, response_status, response_body, latency_ms, error, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      event.id,
      event.hookId,
      event.requestId,
      event.toolCallId,
      event.status,
      event.responseStatus ?? null,
      event.responseBody,
      event.latencyMs,
      event.error ?? null,
      event.createdAt,
    ],
  });
}

/** Newest first. */
export async function selectToolHookEvents(
  prisma: PrismaClient,
  hookId: string,
  page: { limit: number; offset: number },
): Promise<ToolHookEvent[]> {
  const rows = await prisma.toolHookEvent.findMany({
    where: { hookId },
    orderBy: { seq: 'desc' },
    take: page.limit,
    skip: page.offset,
  });
  return rows.map(({ seq: _, ...row }) => ({
    ...row,
    status: row.status as ToolHookStatus,
    responseStatus: row.responseStatus ?? undefined,
    latencyMs: row.latencyMs ?? 0,
    error: row.error ?? undefined,
  }));
}
