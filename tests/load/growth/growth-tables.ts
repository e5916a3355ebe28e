import type { RecordedPlan } from '../data/recorded-plans.js';
import { table } from '../table.js';

export interface RequestCost {
  name: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU of PostgreSQL per request, with the work that the request has started. */
  postgresMs: number;
  errors: number;
}

/** Everything measured at one size; the sizes are ascending. */
export interface SizeResult {
  rows: number;
  costs: RequestCost[];
  plans: RecordedPlan[];
}

/** A growth up to this factor above the logarithm's is noise of the machine. */
const TOLERANCE = 1.5;
/** Pages that a tree or a row's chain of versions may add by chance. */
const BUFFERS_TOLERANCE = 10;

export function growthTables(sizes: readonly SizeResult[]): string {
  const [, tenth, full] = sizes as [SizeResult, SizeResult, SizeResult];
  const logarithmic = Math.log(full.rows) / Math.log(tenth.rows);
  const counts = sizes.map(({ rows }) => rows.toLocaleString('en-US')).join(' / ');
  return [
    `\nTransfers in the journal: ${counts}. Logarithmic growth from the second size to the third is × ${logarithmic.toFixed(2)}.\n`,
    requestTable(sizes, logarithmic),
    statementTable(sizes, logarithmic),
  ].join('');
}

function requestTable(sizes: readonly SizeResult[], logarithmic: number): string {
  const names = sizes[0]?.costs.map(({ name }) => name) ?? [];
  const lines = names.map((name) => {
    const costs = sizes.map(({ costs }) => costs.find((cost) => cost.name === name) as RequestCost);
    const ratio = (costs[2] as RequestCost).postgresMs / (costs[1] as RequestCost).postgresMs;
    return [
      name,
      list(costs, ({ perSecond }) => String(Math.round(perSecond))),
      list(costs, ({ p50Ms }) => p50Ms.toFixed(1)),
      list(costs, ({ p99Ms }) => p99Ms.toFixed(1)),
      list(costs, ({ postgresMs }) => postgresMs.toFixed(3)),
      verdict(ratio, ratio > logarithmic * TOLERANCE),
      costs.reduce((sum, { errors }) => sum + errors, 0),
    ].join(' | ');
  });
  return table(
    'request, 16 connections | requests/s | p50 ms | p99 ms | PostgreSQL ms per request | × from second to third | errors',
    lines,
  );
}

/** The ledger's prepared statements: their numbers of buffers are the same on a busy machine. */
function statementTable(sizes: readonly SizeResult[], logarithmic: number): string {
  const names = new Set(sizes.flatMap(({ plans }) => plans.flatMap(({ name }) => name ?? [])));
  const lines = [...names].sort().flatMap((name) => {
    const plans = sizes.map((size) => size.plans.find((plan) => plan.name === name));
    if (plans.some((plan) => plan === undefined || plan.error !== undefined)) return [];
    const known = plans as RecordedPlan[];
    const [from, to] = [(known[1] as RecordedPlan).buffers, (known[2] as RecordedPlan).buffers];
    const ratio = to / Math.max(1, from);
    const grows = to - from > BUFFERS_TOLERANCE && ratio > logarithmic * TOLERANCE;
    return [
      [
        name,
        list(known, ({ buffers }) => String(buffers)),
        list(known, ({ ms }) => ms.toFixed(2)),
        verdict(ratio, grows),
      ].join(' | '),
    ];
  });
  return table('prepared statement | buffers | ms, slowest of three | × buffers from second to third', lines);
}

function list<T>(values: readonly T[], show: (value: T) => string): string {
  return values.map(show).join(' / ');
}

function verdict(ratio: number, grows: boolean): string {
  return `${ratio.toFixed(2)}${grows ? ' GROWS' : ''}`;
}
