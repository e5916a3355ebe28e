// Generated from requests/request-entries.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, binaryArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `entries`. */
export interface InsertEntriesEntriesRow {
  id: string;
  at: Date;
  accountId: string;
  projectId: string;
  status: string;
  clientRequestId: string | null | undefined;
  customerId: string | null | undefined;
  keyId: string | null | undefined;
  tierCode: string | null | undefined;
  model: string | null | undefined;
  provider: string | null | undefined;
  httpStatus: number | null | undefined;
  errorCode: string | null | undefined;
  stopReason: string | null | undefined;
  isStream: boolean;
  isCached: boolean;
  isEstimated: boolean;
  inputTokens: bigint | number;
  outputTokens: bigint | number;
  cacheReadInputTokens: bigint | number;
  cacheWriteInputTokens: bigint | number;
  reasoningTokens: bigint | number;
  images: number;
  revenueMicrocents: bigint | number;
  costMicrocents: bigint | number;
  overrunMicrocents: bigint | number;
  unreconciledMicrocents: bigint | number;
  durationMs: bigint | number | null | undefined;
  firstOutputMs: bigint | number | null | undefined;
  traceId: string | null | undefined;
  detail: string | null | undefined;
}

export interface InsertEntriesInput {
  entries: readonly InsertEntriesEntriesRow[];
}

const INSERT_ENTRIES = `
  INSERT INTO requests (id, at, account_id, project_id, status, client_request_id, customer_id, key_id, tier_code, model,
    provider, http_status, error_code, stop_reason, is_stream, is_cached, is_estimated, input_tokens, output_tokens,
    cache_read_input_tokens, cache_write_input_tokens, reasoning_tokens, images, revenue_microcents, cost_microcents,
    overrun_microcents, unreconciled_microcents, duration_ms, first_output_ms, trace_id, detail)
  SELECT * FROM (SELECT ($19::uuid[])[nth.i][1] AS id, nth.at, ($19::uuid[])[nth.i][2] AS account_id, ($19::uuid[])[nth.i][3] AS project_id, nth.status, nth.client_request_id, nth.customer_id, nth.key_id, nth.tier_code, nth.model, nth.provider, nth.http_status::int AS http_status, nth.error_code, nth.stop_reason, nth.is_stream, nth.is_cached, nth.is_estimated, ($20::bigint[])[nth.i][1] AS input_tokens, ($20::bigint[])[nth.i][2] AS output_tokens, ($20::bigint[])[nth.i][3] AS cache_read_input_tokens, ($20::bigint[])[nth.i][4] AS cache_write_input_tokens, ($20::bigint[])[nth.i][5] AS reasoning_tokens, ($20::bigint[])[nth.i][6]::int AS images, ($20::bigint[])[nth.i][7] AS revenue_microcents, ($20::bigint[])[nth.i][8] AS cost_microcents, ($20::bigint[])[nth.i][9] AS overrun_microcents, ($20::bigint[])[nth.i][10] AS unreconciled_microcents, nth.duration_ms, nth.first_output_ms, nth.trace_id, nth.detail::json AS detail FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::bool[], $13::bool[], $14::bool[], $15::bigint[], $16::bigint[], $17::text[], $18::text[]) WITH ORDINALITY AS nth (at, status, client_request_id, customer_id, key_id, tier_code, model, provider, http_status, error_code, stop_reason, is_stream, is_cached, is_estimated, duration_ms, first_output_ms, trace_id, detail, i)) AS e
  ON CONFLICT (id, at) DO NOTHING`;

/** Entries that are stored already stay as they are. */
export async function insertEntries(db: Queryable, input: InsertEntriesInput): Promise<void> {
  await db.query({
    name: 'insert_entries',
    text: INSERT_ENTRIES,
    values: [
      binaryArray('timestamptz', input.entries.map((r) => r.at)),
      textArray(input.entries.map((r) => r.status)),
      textArray(input.entries.map((r) => r.clientRequestId)),
      binaryArray('uuid', input.entries.map((r) => r.customerId)),
      binaryArray('uuid', input.entries.map((r) => r.keyId)),
      textArray(input.entries.map((r) => r.tierCode)),
      textArray(input.entries.map((r) => r.model)),
      textArray(input.entries.map((r) => r.provider)),
      binaryArray('bigint', input.entries.map((r) => r.httpStatus)),
      textArray(input.entries.map((r) => r.errorCode)),
      textArray(input.entries.map((r) => r.stopReason)),
      binaryArray('bool', input.entries.map((r) => r.isStream)),
      binaryArray('bool', input.entries.map((r) => r.isCached)),
      binaryArray('bool', input.entries.map((r) => r.isEstimated)),
      binaryArray('bigint', input.entries.map((r) => r.durationMs)),
      binaryArray('bigint', input.entries.map((r) => r.firstOutputMs)),
      textArray(input.entries.map((r) => r.traceId)),
      textArray(input.entries.map((r) => r.detail)),
      uuidArray(input.entries, [(r) => r.id, (r) => r.accountId, (r) => r.projectId]),
      bigintArray(input.entries, [(r) => r.inputTokens, (r) => r.outputTokens, (r) => r.cacheReadInputTokens, (r) => r.cacheWriteInputTokens, (r) => r.reasoningTokens, (r) => r.images, (r) => r.revenueMicrocents, (r) => r.costMicrocents, (r) => r.overrunMicrocents, (r) => r.unreconciledMicrocents]),
    ],
  });
}

/** A row of `entries`. */
export interface ReplaceEntriesEntriesRow {
  id: string;
  at: Date;
  status: string;
  clientRequestId: string | null | undefined;
  customerId: string | null | undefined;
  keyId: string | null | undefined;
  tierCode: string | null | undefined;
  model: string | null | undefined;
  provider: string | null | undefined;
  httpStatus: number | null | undefined;
  errorCode: string | null | undefined;
  stopReason: string | null | undefined;
  isStream: boolean;
  isCached: boolean;
  isEstimated: boolean;
  inputTokens: bigint | number;
  outputTokens: bigint | number;
  cacheReadInputTokens: bigint | number;
  cacheWriteInputTokens: bigint | number;
  reasoningTokens: bigint | number;
  images: number;
  revenueMicrocents: bigint | number;
  costMicrocents: bigint | number;
  overrunMicrocents: bigint | number;
  unreconciledMicrocents: bigint | number;
  durationMs: bigint | number | null | undefined;
  firstOutputMs: bigint | number | null | undefined;
  traceId: string | null | undefined;
  detail: string | null | undefined;
}

export interface ReplaceEntriesInput {
  entries: readonly ReplaceEntriesEntriesRow[];
  since: Date;
}

const REPLACE_ENTRIES = `
  UPDATE requests r
  SET (status, client_request_id, customer_id, key_id, tier_code, model, provider, http_status, error_code, stop_reason,
    is_stream, is_cached, is_estimated, input_tokens, output_tokens, cache_read_input_tokens, cache_write_input_tokens,
    reasoning_tokens, images, revenue_microcents, cost_microcents, overrun_microcents, unreconciled_microcents, duration_ms,
    first_output_ms, trace_id, detail) = ROW (
    e.status, e.client_request_id, e.customer_id, e.key_id, e.tier_code, e.model, e.provider, e.http_status, e.error_code,
    e.stop_reason, e.is_stream, e.is_cached, e.is_estimated, e.input_tokens, e.output_tokens, e.cache_read_input_tokens,
    e.cache_write_input_tokens, e.reasoning_tokens, e.images, e.revenue_microcents, e.cost_microcents, e.overrun_microcents,
    e.unreconciled_microcents, e.duration_ms, e.first_output_ms, e.trace_id, e.detail)
  FROM (SELECT ($19::uuid[])[nth.i] AS id, nth.at, nth.status, nth.client_request_id, nth.customer_id, nth.key_id, nth.tier_code, nth.model, nth.provider, nth.http_status::int AS http_status, nth.error_code, nth.stop_reason, nth.is_stream, nth.is_cached, nth.is_estimated, ($20::bigint[])[nth.i][1] AS input_tokens, ($20::bigint[])[nth.i][2] AS output_tokens, ($20::bigint[])[nth.i][3] AS cache_read_input_tokens, ($20::bigint[])[nth.i][4] AS cache_write_input_tokens, ($20::bigint[])[nth.i][5] AS reasoning_tokens, ($20::bigint[])[nth.i][6]::int AS images, ($20::bigint[])[nth.i][7] AS revenue_microcents, ($20::bigint[])[nth.i][8] AS cost_microcents, ($20::bigint[])[nth.i][9] AS overrun_microcents, ($20::bigint[])[nth.i][10] AS unreconciled_microcents, nth.duration_ms, nth.first_output_ms, nth.trace_id, nth.detail::json AS detail FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::bool[], $13::bool[], $14::bool[], $15::bigint[], $16::bigint[], $17::text[], $18::text[]) WITH ORDINALITY AS nth (at, status, client_request_id, customer_id, key_id, tier_code, model, provider, http_status, error_code, stop_reason, is_stream, is_cached, is_estimated, duration_ms, first_output_ms, trace_id, detail, i)) AS e
  WHERE r.id = e.id AND r.at <= e.at AND r.at >= $21`;

/** Replaces everything but the place in lists. */
export async function replaceEntries(db: Queryable, input: ReplaceEntriesInput): Promise<void> {
  await db.query({
    name: 'replace_entries',
    text: REPLACE_ENTRIES,
    values: [
      binaryArray('timestamptz', input.entries.map((r) => r.at)),
      textArray(input.entries.map((r) => r.status)),
      textArray(input.entries.map((r) => r.clientRequestId)),
      binaryArray('uuid', input.entries.map((r) => r.customerId)),
      binaryArray('uuid', input.entries.map((r) => r.keyId)),
      textArray(input.entries.map((r) => r.tierCode)),
      textArray(input.entries.map((r) => r.model)),
      textArray(input.entries.map((r) => r.provider)),
      binaryArray('bigint', input.entries.map((r) => r.httpStatus)),
      textArray(input.entries.map((r) => r.errorCode)),
      textArray(input.entries.map((r) => r.stopReason)),
      binaryArray('bool', input.entries.map((r) => r.isStream)),
      binaryArray('bool', input.entries.map((r) => r.isCached)),
      binaryArray('bool', input.entries.map((r) => r.isEstimated)),
      binaryArray('bigint', input.entries.map((r) => r.durationMs)),
      binaryArray('bigint', input.entries.map((r) => r.firstOutputMs)),
      textArray(input.entries.map((r) => r.traceId)),
      textArray(input.entries.map((r) => r.detail)),
      uuidArray(input.entries, [(r) => r.id]),
      bigintArray(input.entries, [(r) => r.inputTokens, (r) => r.outputTokens, (r) => r.cacheReadInputTokens, (r) => r.cacheWriteInputTokens, (r) => r.reasoningTokens, (r) => r.images, (r) => r.revenueMicrocents, (r) => r.costMicrocents, (r) => r.overrunMicrocents, (r) => r.unreconciledMicrocents]),
      input.since,
    ],
  });
}
