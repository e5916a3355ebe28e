import type { ProjectUsageQuery } from '@tollgate/api/reports';
import type { Queryable } from '@tollgate/postgres';
import { DAY_MS, type SpanSource, toUsageSpans, type UsageSpan } from '../../domain/reports/usage-spans.js';
import { startOfDay } from './partitions.js';
import { type RequestFilter, StatementValues, toCondition } from './request-filter.js';
import { CUSTOMER, DIMENSIONS, LATENCIES, NO_ID, SUMS } from './rollups/cells.js';
import { readRolledUp } from './rollups/read-rolled-up.js';

export interface UsageGrouping {
  interval: ProjectUsageQuery['interval'];
  groupBy: ProjectUsageQuery['group_by'];
  limit: number;
}

export interface UsageRow {
  /** Null in the totals, and for the whole range. */
  start: Date | null;
  group: string | null;
  requests: bigint;
  succeeded: bigint;
  failed: bigint;
  refused: bigint;
  unreported: bigint;
  /** Sums are numeric in PostgreSQL, which arrive as text. */
  inputTokens: string;
  outputTokens: string;
  images: string;
  revenueMicrocents: string;
  costMicrocents: string;
  /** Buckets of latencies at p50, p95, p99; null without a value. */
  durationBuckets: (number | null)[] | null;
  /** p50, p95 */
  firstOutputBuckets: (number | null)[] | null;
}

export interface Usage {
  totals: UsageRow;
  /** At most `limit` + 1, by start and the largest group first. */
  rows: UsageRow[];
}

/** The filters that tables of sums have columns for. */
export type UsageFilter = Pick<
  RequestFilter,
  'projectId' | 'from' | 'to' | 'status' | 'model' | 'customerId' | 'keyId' | 'tierCode'
>;

const STARTS = {
  hour: (at: string) => `date_trunc('hour', ${at}, 'UTC')`,
  day: (at: string) => `date_trunc('day', ${at}, 'UTC')`,
  total: () => "'-infinity'::timestamptz",
} as const;

const GROUPS = { model: 'model', customer: 'customer_id', key: 'key_id', tier: 'tier_code', status: 'status' } as const;

/** The largest percentile of each latency has the highest number; a percentile is that of the smallest value with the share at or below. */
const PERCENTS = { duration: [50, 95, 99], first_output: [50, 95] } as const;

/**
 * Adds requests up by interval and group. Whole days and hours are read from the tables of sums, and rows for the rest: the figures are
 * those of the rows that the transaction sees; it has to see one snapshot.
 *
 * @param since the first day that is kept
 */
export async function sumRequests(tx: Queryable, filter: UsageFilter, by: UsageGrouping, since: Date): Promise<Usage> {
  const rolledUp = await readRolledUp(tx, filter.projectId, filter, since);
  const noDays = by.interval === 'hour' ? { ...rolledUp, days: new Set<number>() } : rolledUp;
  const spans = toUsageSpans(filter, noDays);
  const customerSpans = toUsageSpans(filter, { days: noDays.days, hours: new Set() });
  if (filter.customerId !== undefined) return sumCells(tx, { filter, by, spans: customerSpans, isByCustomer: true });
  if (by.groupBy !== 'customer') return sumCells(tx, { filter, by, spans, isByCustomer: false });
  const { totals } = await sumCells(tx, {
    filter,
    by: { interval: 'total', groupBy: undefined, limit: 0 },
    spans,
    isByCustomer: false,
  });
  return { totals, rows: await sumCustomers(tx, filter, by, noDays.days) };
}

/** Rows are in the order of time, so the first days often have as many as are wanted. */
async function sumCustomers(
  tx: Queryable,
  filter: UsageFilter,
  by: UsageGrouping,
  rolledUpDays: ReadonlySet<number>,
): Promise<UsageRow[]> {
  const firstDay = startOfDay(filter.from.getTime());
  for (let days = 1; ; days *= 2) {
    const isWhole = by.interval === 'total' || firstDay + days * DAY_MS >= filter.to.getTime();
    const part = isWhole ? filter : { ...filter, to: new Date(firstDay + days * DAY_MS) };
    const spans = toUsageSpans(part, { days: rolledUpDays, hours: new Set() });
    const reading = { filter: part, by, spans, isByCustomer: true };
    const customerIds = await findLargestCustomers(tx, { ...reading, isRanking: true });
    const rows = customerIds.length === 0 ? [] : (await sumCells(tx, { ...reading, customerIds })).rows;
    if (isWhole || rows.length > by.limit) return rows;
  }
}

interface Reading {
  filter: UsageFilter;
  by: UsageGrouping;
  spans: readonly UsageSpan[];
  /** Reads sums that tell customers apart. */
  isByCustomer: boolean;
  /** Groups are ids, not texts. */
  isRanking?: boolean;
  /** Only requests of these; `NO_ID` stands for those without a customer. */
  customerIds?: readonly string[];
}

/** Figures without latencies first: ranking all customers reads an index of these. */
async function findLargestCustomers(tx: Queryable, reading: Reading): Promise<string[]> {
  const sql = new StatementValues();
  const { rows } = await tx.query<{ id: string }>(
    `WITH cells AS (${selectCells(reading, sql, ['requests'])}), read AS (${selectRows(reading, sql, [])})
     SELECT DISTINCT "group" AS id FROM (
       SELECT start, "group" FROM (SELECT start, "group", requests FROM cells UNION ALL SELECT start, "group", 1 FROM read) AS all_read
        GROUP BY start, "group" ORDER BY start, sum(requests) DESC, "group" LIMIT ${sql.add(reading.by.limit + 1)}) AS largest`,
    sql.values,
  );
  return rows.map(({ id }) => id);
}

async function sumCells(tx: Queryable, reading: Reading): Promise<Usage> {
  const sql = new StatementValues();
  const latencies = Object.keys(LATENCIES);
  const arrays = latencies.flatMap((name) => [`${name}_buckets`, `${name}_counts`]);
  const cells = selectCells(reading, sql, ['status', 'requests', ...SUMS, ...arrays]);
  const read = selectRows(reading, sql, ['status', ...SUMS, ...latencies]);
  const figures = `"group", status, ${SUMS.join(', ')}`;
  const buckets = latencies.flatMap((name) => [
    `SELECT '${name}' AS latency, start, "group", b.bucket, b.n FROM cells, unnest(${name}_buckets, ${name}_counts) AS b(bucket, n)`,
    `SELECT '${name}', start, "group", ${name}, 1 FROM read WHERE ${name} IS NOT NULL`,
  ]);
  const count = (status: string) =>
    `coalesce(sum(requests) FILTER (WHERE status = '${status}'), 0)::bigint AS ${status}`;
  const sum = (name: string, as: string) => `coalesce(sum(${name}), 0) AS "${as}"`;
  const place =
    'grouping(start, "group") = 3 AS is_total, coalesce(start, \'-infinity\') AS start, coalesce("group", \'\') AS "group"';
  const { rows } = await tx.query<UsageRow>(
    `WITH cells AS MATERIALIZED (${cells}), read AS MATERIALIZED (${read}),
     figures AS (
       SELECT ${place}, coalesce(sum(requests), 0)::bigint AS requests, ${['succeeded', 'failed', 'refused', 'unreported'].map(count).join(', ')},
              ${sum('input_tokens', 'inputTokens')}, ${sum('output_tokens', 'outputTokens')}, ${sum('images', 'images')},
              ${sum('revenue_microcents', 'revenueMicrocents')}, ${sum('cost_microcents', 'costMicrocents')}
         FROM (SELECT start, requests, ${figures} FROM cells UNION ALL SELECT start, 1, ${figures} FROM read) AS all_read
        GROUP BY GROUPING SETS ((start, "group"), ())
        ORDER BY is_total DESC, start, requests DESC, "group" LIMIT ${sql.add(reading.by.limit + 2)}),
     counted AS (
       SELECT latency, ${place}, bucket, sum(n) AS n FROM (${buckets.join(' UNION ALL ')}) AS b
        GROUP BY GROUPING SETS ((latency, bucket, start, "group"), (latency, bucket))),
     ranked AS (
       SELECT latency, is_total, start, "group", bucket,
              sum(n) OVER (PARTITION BY latency, is_total, start, "group" ORDER BY bucket) * 100 AS reached,
              sum(n) OVER (PARTITION BY latency, is_total, start, "group") AS whole
         FROM counted WHERE is_total OR (start, "group") IN (SELECT start, "group" FROM figures)),
     latencies AS (
       SELECT is_total, start, "group", ${latencies.map(selectPercentiles).join(', ')} FROM ranked GROUP BY is_total, start, "group")
     SELECT nullif(f.start, '-infinity') AS start, f."group", f.requests, succeeded, failed, refused, unreported, "inputTokens", "outputTokens",
            images, "revenueMicrocents", "costMicrocents", l.duration AS "durationBuckets", l.first_output AS "firstOutputBuckets"
       FROM figures f LEFT JOIN latencies l USING (is_total, start, "group")
      ORDER BY is_total DESC, start, requests DESC, "group"`,
    sql.values,
  );
  const [totals, ...others] = rows;
  return { totals: totals!, rows: others };
}

function selectPercentiles(latency: keyof typeof PERCENTS | string): string {
  const percents = PERCENTS[latency as keyof typeof PERCENTS].map(
    (percent) => `min(bucket) FILTER (WHERE latency = '${latency}' AND reached >= whole * ${percent})`,
  );
  return `ARRAY[${percents.join(', ')}] AS ${latency}`;
}

/** The SELECT of the cells of sums, with a start and a group. */
function selectCells(reading: Reading, sql: StatementValues, columns: readonly string[]): string {
  const { isByCustomer, by, spans } = reading;
  const tables: Record<SpanSource, string | undefined> = isByCustomer
    ? { day: 'request_customer_days', hour: undefined, row: undefined }
    : { day: 'request_days', hour: 'request_hours', row: undefined };
  const selected = [
    `${STARTS[by.interval]('c.start')} AS start`,
    `${selectGroup(reading, (name) => `c.${name}`)} AS "group"`,
  ];
  const parts = (['day', 'hour'] as const).flatMap((source) => {
    const table = tables[source];
    const ranges = spans.filter((span) => span.source === source);
    // A part without ranges says which columns there are.
    if (table === undefined || (ranges.length === 0 && source === 'hour')) return [];
    const condition = [
      `c.project_id = ${sql.add(reading.filter.projectId)}`,
      toRangeTerm('c.start', ranges, sql),
      ...toDimensionTerms(reading, sql, (name) => `c.${name}`),
    ];
    return [
      `SELECT ${[...selected, ...columns.map((name) => `c.${name}`)].join(', ')} FROM ${table} c WHERE ${condition.join(' AND ')}`,
    ];
  });
  return parts.join(' UNION ALL ');
}

/** The SELECT of rows with a start, a group, and their latencies as buckets. */
function selectRows(reading: Reading, sql: StatementValues, columns: readonly string[]): string {
  const { by, filter } = reading;
  const dimensions: Record<string, string> = { ...DIMENSIONS, ...CUSTOMER };
  const latencies: Record<string, string> = LATENCIES;
  const selected = columns.map((name) =>
    latencies[name] === undefined ? `r.${name}` : `${latencies[name]} AS ${name}`,
  );
  const condition = [
    toCondition(filter, sql),
    toRangeTerm(
      'r.at',
      reading.spans.filter(({ source }) => source === 'row'),
      sql,
    ),
    ...(reading.customerIds === undefined ? [] : [toCustomerTerm(reading.customerIds, dimensions.customer_id!, sql)]),
  ];
  const place = [
    `${STARTS[by.interval]('r.at')} AS start`,
    `${selectGroup(reading, (name) => dimensions[name]!)} AS "group"`,
  ];
  return `SELECT ${[...place, ...selected].join(', ')} FROM requests r WHERE ${condition.join(' AND ')}`;
}

function selectGroup({ by: { groupBy }, isRanking }: Reading, column: (name: string) => string): string {
  if (groupBy === undefined) return "''";
  // Texts of ids would cost most of a ranking.
  if (isRanking) return column(GROUPS[groupBy]);
  const text = `${column(GROUPS[groupBy])}::text`;
  return `CASE WHEN ${text} IN ('', '${NO_ID}') THEN 'none' ELSE ${text} END`;
}

function toDimensionTerms(
  { filter, customerIds }: Reading,
  sql: StatementValues,
  column: (name: string) => string,
): string[] {
  const wanted = {
    status: filter.status,
    model: filter.model,
    key_id: filter.keyId,
    tier_code: filter.tierCode,
    customer_id: filter.customerId,
  };
  const terms = Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : [`${column(name)} = ${sql.add(value)}`],
  );
  return customerIds === undefined ? terms : [...terms, toCustomerTerm(customerIds, column('customer_id'), sql)];
}

function toCustomerTerm(ids: readonly string[], column: string, sql: StatementValues): string {
  return `${column} = ANY(${sql.add(ids)}::uuid[])`;
}

function toRangeTerm(column: string, ranges: readonly UsageSpan[], sql: StatementValues): string {
  if (ranges.length === 0) return 'false';
  const terms = ranges.map(({ from, to }) => `(${column} >= ${sql.add(from)} AND ${column} < ${sql.add(to)})`);
  return `(${terms.join(' OR ')})`;
}
