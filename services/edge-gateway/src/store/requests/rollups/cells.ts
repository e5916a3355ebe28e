import { toLatencyBucketSql } from '../../../domain/reports/latency-buckets.js';

/** Stands for a request without a customer or key, as `''` does for one without a model or tier. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Columns of the tables of sums, and the expressions of rows `r` with which they compare. */
export const DIMENSIONS = {
  model: "coalesce(r.model, '')",
  key_id: `coalesce(r.key_id, '${NO_ID}')`,
  tier_code: "coalesce(r.tier_code, '')",
  status: 'r.status',
} as const;

export const CUSTOMER = { customer_id: `coalesce(r.customer_id, '${NO_ID}')` } as const;

/** Figures that add up. */
export const SUMS = ['input_tokens', 'output_tokens', 'images', 'revenue_microcents', 'cost_microcents'] as const;

/** Latencies, each as a column of buckets and one of their counts. A refusal has no duration: no provider was asked. */
export const LATENCIES = {
  duration: `CASE WHEN r.status <> 'refused' THEN ${toLatencyBucketSql('r.duration_ms')} END`,
  first_output: toLatencyBucketSql('r.first_output_ms'),
} as const;

export const LATENCY_COLUMNS = Object.keys(LATENCIES).flatMap((name) => [`${name}_buckets`, `${name}_counts`]);

/** Figures that have the type bigint; sums of others may be beyond it. */
const WHOLE = new Set(['requests', 'images']);

/** Columns of the figures of a cell, in the order in which they are written. */
export const FIGURES = ['requests', ...SUMS, ...LATENCY_COLUMNS];

/**
 * Returns the SELECT that adds rows up into cells, one per start and dimensions.
 *
 * @param start the expression of `r.at` that gives a cell's start
 * @param condition on the table `requests r`
 */
export function selectCellsOfRows(
  start: string,
  dimensions: Readonly<Record<string, string>>,
  condition: string,
): string {
  const selected = Object.entries({ ...dimensions, ...LATENCIES }).map(([name, value]) => `${value} AS ${name}`);
  const rows = `
    SELECT r.project_id, ${start} AS start, ${selected.join(', ')}, 1 AS requests, ${SUMS.map((name) => `r.${name}`).join(', ')}
      FROM requests r WHERE ${condition}`;
  return addUp(
    rows,
    Object.keys(dimensions),
    (name, by) => `SELECT ${by}, ${name} AS bucket, 1 AS n FROM read WHERE ${name} IS NOT NULL`,
  );
}

/** Returns the SELECT that adds cells of hours up into cells of days. */
export function selectDaysOfHours(condition: string): string {
  const dimensions = Object.keys(DIMENSIONS);
  const hours = `
    SELECT h.project_id, date_trunc('day', h.start, 'UTC') AS start, ${[...dimensions, ...FIGURES].join(', ')}
      FROM request_hours h WHERE ${condition}`;
  return addUp(
    hours,
    dimensions,
    (name, by) => `SELECT ${by}, bucket, n FROM read, unnest(${name}_buckets, ${name}_counts) AS b(bucket, n)`,
  );
}

/**
 * Adds up without a join: the planner knows nothing about the size of what it adds up, and could join each cell with each.
 *
 * @param selectBuckets the SELECT of the buckets of a latency with their counts, from the relation `read`
 */
function addUp(read: string, dimensions: string[], selectBuckets: (latency: string, by: string) => string): string {
  const by = ['project_id', 'start', ...dimensions].join(', ');
  const figures = FIGURES.filter((name) => !LATENCY_COLUMNS.includes(name));
  const totals = figures.map((name) => `sum(${name}) AS ${name}`);
  const others = (own: string) =>
    LATENCY_COLUMNS.map((name) => (name.startsWith(`${own}_`) ? name : `NULL::${toArrayType(name)}`)).join(', ');
  const selectLatency = (name: string) => `
    SELECT ${by}, ${figures.map(() => '0').join(', ')}, ${others(name)}
      FROM (SELECT ${by}, array_agg(bucket ORDER BY bucket) AS ${name}_buckets, array_agg(n ORDER BY bucket) AS ${name}_counts
              FROM (SELECT ${by}, bucket, sum(n)::bigint AS n FROM (${selectBuckets(name, by)}) AS b GROUP BY ${by}, bucket) AS s
             GROUP BY ${by}) AS cells`;
  // One part alone has the arrays of a cell, and max() returns what is not null.
  const arrays = LATENCY_COLUMNS.map((name) => `max(${name}) AS ${name}`);
  const typed = figures.map((name) => `sum(${name})${WHOLE.has(name) ? '::bigint' : ''} AS ${name}`);
  return `
    WITH read AS MATERIALIZED (${read})
    SELECT ${by}, ${[...typed, ...arrays].join(', ')}
      FROM (SELECT ${by}, ${totals.join(', ')}, ${LATENCY_COLUMNS.map((name) => `NULL::${toArrayType(name)} AS ${name}`).join(', ')}
              FROM read GROUP BY ${by}
            UNION ALL ${Object.keys(LATENCIES).map(selectLatency).join(' UNION ALL ')}) AS parts
     GROUP BY ${by}`;
}

function toArrayType(column: string): string {
  return column.endsWith('_buckets') ? 'integer[]' : 'bigint[]';
}
