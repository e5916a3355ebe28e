import type { Queryable } from '@tollgate/postgres';

/** How long the logs are kept. */
export interface RetentionDays {
  /** Deliveries and events. */
  webhooks: number;
  /** Events of tool hooks. */
  toolHooks: number;
  /** Recorded answers of tool hooks and results of MCP servers. */
  toolCalls: number;
}

/** Which rows of a table to delete. */
interface RetentionRule {
  table: string;
  key: string;
  /**
   * Selects the keys of rows to delete. A lateral subquery with a limit of its own reads its index, where the planner would
   * otherwise join whole tables. Parameter 1 is the limit; parameter 2, with `age`, the days that rows are kept.
   */
  select: string;
  age?: keyof RetentionDays;
  /** Condition that must still hold when a row is deleted. */
  recheck?: string;
}

const rules: readonly RetentionRule[] = [
  {
    // Finished deliveries, with their attempts. The recheck skips a delivery that was queued again after the select:
    // deleting it would leave its queue without a head.
    table: 'webhook_deliveries',
    key: 'id',
    select: `SELECT id FROM webhook_deliveries
             WHERE status IN ('delivered', 'failed') AND created_at < now() - $2::int * interval '1 day' LIMIT $1`,
    age: 'webhooks',
    recheck: `status IN ('delivered', 'failed')`,
  },
  {
    // Deliveries of deleted webhooks.
    table: 'webhook_deliveries',
    key: 'id',
    select: `SELECT d.id FROM webhooks w CROSS JOIN LATERAL (
               SELECT id FROM webhook_deliveries WHERE webhook_id = w.id AND status IN ('delivered', 'failed') LIMIT $1) d
             WHERE w.deleted_at IS NOT NULL LIMIT $1`,
  },
  {
    // Events without deliveries.
    table: 'webhook_events',
    key: 'id',
    select: `SELECT e.id FROM webhook_events e
             WHERE e.created_at < now() - $2::int * interval '1 day'
               AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id)
             ORDER BY e.created_at LIMIT $1`,
    age: 'webhooks',
  },
  {
    // Ended recoveries.
    table: 'webhook_recoveries',
    key: 'id',
    select: `SELECT id FROM webhook_recoveries
             WHERE ended_at < now() - $2::int * interval '1 day' ORDER BY ended_at LIMIT $1`,
    age: 'webhooks',
  },
  {
    // Deleted webhooks without deliveries.
    table: 'webhooks',
    key: 'id',
    select: `SELECT w.id FROM webhooks w
             WHERE w.deleted_at < now() - interval '1 hour'
               AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id)
               AND NOT EXISTS (SELECT 1 FROM webhook_lanes l WHERE l.webhook_id = w.id) LIMIT $1`,
  },
  {
    // The event log of tool hooks.
    table: 'tool_hook_events',
    key: 'id',
    select: `SELECT id FROM tool_hook_events
             WHERE created_at < now() - $2::int * interval '1 day' ORDER BY created_at LIMIT $1`,
    age: 'toolHooks',
  },
  {
    // Events of deleted tool hooks.
    table: 'tool_hook_events',
    key: 'id',
    select: `SELECT e.id FROM tool_hooks h CROSS JOIN LATERAL (
               SELECT id FROM tool_hook_events WHERE hook_id = h.id LIMIT $1) e
             WHERE h.deleted_at IS NOT NULL LIMIT $1`,
  },
  {
    // Recorded answers; every run that could ask the question again has ended.
    table: 'tool_hook_journal',
    key: 'question',
    select: `SELECT question FROM tool_hook_journal
             WHERE created_at < now() - $2::int * interval '1 day' ORDER BY created_at LIMIT $1`,
    age: 'toolCalls',
  },
  {
    // Deleted tool hooks without events; after an hour none of their calls is running.
    table: 'tool_hooks',
    key: 'id',
    select: `SELECT h.id FROM tool_hooks h
             WHERE h.deleted_at < now() - interval '1 hour'
               AND NOT EXISTS (SELECT 1 FROM tool_hook_events e WHERE e.hook_id = h.id) LIMIT $1`,
  },
  {
    // Authorizations of MCP servers that were not completed.
    table: 'mcp_authorization_attempts',
    key: 'state_hash',
    select: 'SELECT state_hash FROM mcp_authorization_attempts WHERE expires_at < now() ORDER BY expires_at LIMIT $1',
  },
  {
    // Recorded calls of MCP servers; every run that could repeat the call has ended.
    table: 'mcp_calls',
    key: 'call_key',
    select: `SELECT call_key FROM mcp_calls
             WHERE created_at < now() - $2::int * interval '1 day' ORDER BY created_at LIMIT $1`,
    age: 'toolCalls',
  },
  {
    // Deleted MCP servers; after an hour none of their calls is running.
    table: 'mcp_servers',
    key: 'id',
    select: `SELECT id FROM mcp_servers WHERE deleted_at < now() - interval '1 hour' LIMIT $1`,
  },
];

/** Deletes one batch of at most `limit` rows per rule. `hasMore` when a batch was full, so that more may remain. */
export async function deleteInBatches(
  db: Queryable,
  days: RetentionDays,
  limit: number,
): Promise<{ deleted: number; hasMore: boolean }> {
  let hasMore = false;
  let deleted = 0;
  for (const { table, key, select, age, recheck = 'true' } of rules) {
    const { rowCount } = await db.query(`DELETE FROM ${table} WHERE ${recheck} AND ${key} = ANY (ARRAY(${select}))`, [
      limit,
      ...(age ? [days[age]] : []),
    ]);
    deleted += rowCount ?? 0;
    hasMore ||= rowCount === limit;
  }
  return { deleted, hasMore };
}
