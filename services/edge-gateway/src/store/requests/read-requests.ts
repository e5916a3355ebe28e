import type { Queryable } from '@tollgate/postgres';
import type { ListPlace } from '../../domain/reports/list-cursor.js';
import type { RequestEntry } from '../../domain/reports/request-entry.js';
import { type RequestFilter, StatementValues, toCondition } from './request-filter.js';

/** The columns of a `RequestEntry` in lists, of the table `requests r`. */
const LISTED = `r.id, r.at, r.account_id AS "accountId", r.project_id AS "projectId", r.status,
  r.client_request_id AS "clientRequestId", r.customer_id AS "customerId", r.key_id AS "keyId", r.tier_code AS "tierCode",
  r.model, r.provider, r.http_status AS "httpStatus", r.error_code AS "errorCode", r.stop_reason AS "stopReason",
  r.is_stream AS "isStream", r.is_cached AS "isCached", r.is_estimated AS "isEstimated", r.input_tokens AS "inputTokens",
  r.output_tokens AS "outputTokens", r.cache_read_input_tokens AS "cacheReadInputTokens",
  r.cache_write_input_tokens AS "cacheWriteInputTokens", r.reasoning_tokens AS "reasoningTokens", r.images,
  r.revenue_microcents AS "revenueMicrocents", r.cost_microcents AS "costMicrocents",
  r.overrun_microcents AS "overrunMicrocents", r.unreconciled_microcents AS "unreconciledMicrocents",
  r.duration_ms AS "durationMs", r.first_output_ms AS "firstOutputMs"`;

/** {@link LISTED}, and what only the view of a single request shows. */
const SELECTED = `${LISTED}, r.trace_id AS "traceId", r.detail`;

/** Returns at most `limit` requests after a place in the list, newest first. */
export async function listRequests(
  db: Queryable,
  filter: RequestFilter,
  page: { limit: number; after?: ListPlace | undefined },
): Promise<RequestEntry[]> {
  const sql = new StatementValues();
  const condition = toCondition(filter, sql);
  const { after } = page;
  const place = after ? `AND (r.at, r.id) < (${sql.add(after.at)}, ${sql.add(after.id)}::uuid)` : '';
  const { rows } = await db.query<RequestEntry>(
    `SELECT ${LISTED} FROM requests r WHERE ${condition} ${place}
      ORDER BY r.at DESC, r.id DESC LIMIT ${sql.add(page.limit)}`,
    sql.values,
  );
  return rows;
}

export async function findRequest(db: Queryable, projectId: string, id: string): Promise<RequestEntry | undefined> {
  const { rows } = await db.query<RequestEntry>(
    `SELECT ${SELECTED} FROM requests r WHERE r.id = $1 AND r.project_id = $2 LIMIT 1`,
    [id, projectId],
  );
  return rows[0];
}
