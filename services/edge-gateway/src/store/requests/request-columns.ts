import { type Column, defineColumns, number, text, uuid } from '@tollgate/postgres/columns';
import type { RequestEntry } from '../../domain/reports/request-entry.js';

/** A column of the table: the value that is sent, and the SQL that reads it. */
interface Field {
  column: string;
  sent: Column<RequestEntry>;
  read?(sent: string): string;
}

type Value<T> = (entry: RequestEntry) => T;

/** Stand for NULL in arrays of ids and of numbers, which have none. No figure of a request is negative. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const NO_FIGURE = -1;

const id = (column: string, value: Value<string>): Field => ({ column, sent: uuid(value) });
const idOrNull = (column: string, value: Value<string | null>): Field => ({
  column,
  sent: uuid((entry) => value(entry) ?? NO_ID),
  read: (sent) => `nullif(${sent}, '${NO_ID}')`,
});
const words = (column: string, value: Value<string | null>): Field => ({
  column,
  sent: text((entry) => value(entry) ?? undefined),
});
const figure = (column: string, value: Value<bigint | number>): Field => ({ column, sent: number('bigint', value) });
const figureOrNull = (column: string, value: Value<bigint | number | null>): Field => ({
  column,
  sent: number('bigint', (entry) => value(entry) ?? NO_FIGURE),
  read: (sent) => `nullif(${sent}, ${NO_FIGURE})`,
});
const flag = (column: string, value: Value<boolean>): Field => ({
  column,
  sent: number('smallint', (entry) => Number(value(entry))),
  read: (sent) => `${sent} <> 0`,
});

const FIELDS: Record<keyof Required<RequestEntry>, Field> = {
  id: id('id', (e) => e.id),
  at: {
    column: 'at',
    sent: number('bigint', (e) => e.at.getTime()),
    read: (sent) => `to_timestamp(${sent} / 1000.0)`,
  },
  accountId: id('account_id', (e) => e.accountId),
  projectId: id('project_id', (e) => e.projectId),
  status: words('status', (e) => e.status),
  clientRequestId: words('client_request_id', (e) => e.clientRequestId),
  customerId: idOrNull('customer_id', (e) => e.customerId),
  keyId: idOrNull('key_id', (e) => e.keyId),
  tierCode: words('tier_code', (e) => e.tierCode),
  model: words('model', (e) => e.model),
  provider: words('provider', (e) => e.provider),
  httpStatus: figureOrNull('http_status', (e) => e.httpStatus),
  errorCode: words('error_code', (e) => e.errorCode),
  stopReason: words('stop_reason', (e) => e.stopReason),
  isStream: flag('is_stream', (e) => e.isStream),
  isCached: flag('is_cached', (e) => e.isCached),
  isEstimated: flag('is_estimated', (e) => e.isEstimated),
  inputTokens: figure('input_tokens', (e) => e.inputTokens),
  outputTokens: figure('output_tokens', (e) => e.outputTokens),
  cacheReadInputTokens: figure('cache_read_input_tokens', (e) => e.cacheReadInputTokens),
  cacheWriteInputTokens: figure('cache_write_input_tokens', (e) => e.cacheWriteInputTokens),
  reasoningTokens: figure('reasoning_tokens', (e) => e.reasoningTokens),
  images: figure('images', (e) => e.images),
  revenueMicrocents: figure('revenue_microcents', (e) => e.revenueMicrocents),
  costMicrocents: figure('cost_microcents', (e) => e.costMicrocents),
  overrunMicrocents: figure('overrun_microcents', (e) => e.overrunMicrocents),
  unreconciledMicrocents: figure('unreconciled_microcents', (e) => e.unreconciledMicrocents),
  durationMs: figureOrNull('duration_ms', (e) => e.durationMs),
  firstOutputMs: figureOrNull('first_output_ms', (e) => e.firstOutputMs),
  traceId: words('trace_id', (e) => e.traceId ?? null),
  detail: {
    column: 'detail',
    sent: text((e) => (e.detail ? JSON.stringify(e.detail) : undefined)),
    read: (sent) => `${sent}::json`,
  },
};

const all = Object.entries(FIELDS);

/** The columns as they are sent. */
export const SENT = defineColumns(Object.fromEntries(all.map(([, { column, sent }]) => [column, sent])));
/** `id, at, account_id, …` */
export const COLUMN_NAMES = all.map(([, { column }]) => column).join(', ');
const select = (fields: typeof all) => fields.map(([field, { column }]) => `r.${column} AS "${field}"`).join(', ');
/** `account_id AS "accountId", …`, of the table `r` */
export const SELECTED = select(all);
/** {@link SELECTED} without what only the view of a single request shows. */
export const LISTED = select(all.filter(([field]) => field !== 'detail' && field !== 'traceId'));
/** A FROM item `e` of the entries that are sent, with the columns of the table. */
export const SENT_ENTRIES = `(SELECT ${all
  .map(([, { column, read }]) => (read ? `${read(`s.${column}`)} AS ${column}` : `s.${column}`))
  .join(', ')} FROM ${SENT.unnest('s')}) AS e`;
/** `status = e.status, …`: everything that a late report replaces. */
export const REPLACED = all
  .filter(([field]) => !['id', 'at', 'accountId', 'projectId'].includes(field))
  .map(([, { column }]) => `${column} = e.${column}`)
  .join(', ');
