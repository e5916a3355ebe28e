import type { RequestEntry } from '../../domain/reports/request-entry.js';

/** Column and type of each field of an entry. */
const COLUMNS: Record<keyof RequestEntry, readonly [column: string, type: string]> = {
  id: ['id', 'uuid'],
  at: ['at', 'timestamptz'],
  accountId: ['account_id', 'uuid'],
  projectId: ['project_id', 'uuid'],
  status: ['status', 'text'],
  clientRequestId: ['client_request_id', 'text'],
  customerId: ['customer_id', 'uuid'],
  keyId: ['key_id', 'uuid'],
  tierCode: ['tier_code', 'text'],
  model: ['model', 'text'],
  provider: ['provider', 'text'],
  httpStatus: ['http_status', 'integer'],
  errorCode: ['error_code', 'text'],
  stopReason: ['stop_reason', 'text'],
  isStream: ['is_stream', 'boolean'],
  isCached: ['is_cached', 'boolean'],
  isEstimated: ['is_estimated', 'boolean'],
  inputTokens: ['input_tokens', 'bigint'],
  outputTokens: ['output_tokens', 'bigint'],
  cacheReadInputTokens: ['cache_read_input_tokens', 'bigint'],
  cacheWriteInputTokens: ['cache_write_input_tokens', 'bigint'],
  reasoningTokens: ['reasoning_tokens', 'bigint'],
  images: ['images', 'integer'],
  revenueMicrocents: ['revenue_microcents', 'bigint'],
  costMicrocents: ['cost_microcents', 'bigint'],
  overrunMicrocents: ['overrun_microcents', 'bigint'],
  unreconciledMicrocents: ['unreconciled_microcents', 'bigint'],
  durationMs: ['duration_ms', 'bigint'],
  firstOutputMs: ['first_output_ms', 'bigint'],
};

const all = Object.entries(COLUMNS);

/** `id, at, account_id, …` */
export const COLUMN_NAMES = all.map(([, [column]]) => column).join(', ');
/** `account_id AS "accountId", …`, of the table `r` */
export const SELECTED = all.map(([field, [column]]) => `r.${column} AS "${field}"`).join(', ');
/** The fields of the record set `e`, in the order of COLUMN_NAMES. */
export const RECORD_FIELDS = all.map(([field]) => `e."${field}"`).join(', ');
/** The definition of a record set of entries: `e (id uuid, …)`. */
export const RECORD_SET = `e (${all.map(([field, [, type]]) => `"${field}" ${type}`).join(', ')})`;
/** `status = e.status, …`: everything that a late report replaces. */
export const REPLACED = all
  .filter(([field]) => !['id', 'at', 'accountId', 'projectId'].includes(field))
  .map(([field, [column]]) => `${column} = e."${field}"`)
  .join(', ');

/** Entries as the JSON of a record set. */
export function toRecordSet(entries: readonly RequestEntry[]): string {
  return JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
