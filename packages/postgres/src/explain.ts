import type pg from 'pg';
import type { Queryable } from './transaction.js';

/** The rows and indexes that a statement reads, as the server executed it. */
export interface ExplainedStatement {
  /** The name of the prepared statement, if it has one. */
  name: string | undefined;
  /** Names of the indexes that were used, once each. */
  indexes: string[];
  /** Tables that were read from beginning to end, once each. A small table is read so if nothing else is as cheap. */
  sequentialScans: string[];
  /** Rows that scans of tables and indexes returned or dropped by a filter. */
  rowsRead: number;
  /** Rows that the largest sort returned. */
  rowsSorted: number;
  /** The plan as text, for a failed expectation. */
  plan: string;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/**
 * Runs `run` with a client that executes each statement under EXPLAIN ANALYZE and undoes its effects, and returns what each of
 * them reads. Statements get no rows back. They have the plans of prepared statements, which know no values; with
 * `isGeneric: false` those of a single execution. For tests; the tables need rows and `ANALYZE`.
 */
export async function explainStatements(
  pool: pg.Pool,
  run: (db: Queryable) => Promise<unknown>,
  options: { isGeneric?: boolean } = {},
): Promise<ExplainedStatement[]> {
  const client = await pool.connect();
  const found: ExplainedStatement[] = [];
  const query = async (first: string | { text: string; name?: string; values?: unknown[] }, values?: unknown[]) => {
    const statement = typeof first === 'string' ? { text: first, values: values ?? [] } : first;
    found.push(await explain(client, statement, options.isGeneric ?? true));
    return { rows: [], rowCount: 0 };
  };
  try {
    await run({ query } as unknown as Queryable);
    return found;
  } finally {
    client.release();
  }
}

/** Like {@link explainStatements} for a function that runs one statement. */
export async function explainStatement(
  ...parameters: Parameters<typeof explainStatements>
): Promise<ExplainedStatement> {
  const [first, ...others] = await explainStatements(...parameters);
  if (!first || others.length > 0) throw new Error(`expected one statement, got ${first ? others.length + 1 : 0}`);
  return first;
}

async function explain(
  client: pg.ClientBase,
  { text, name, values = [] }: { text: string; name?: string; values?: unknown[] },
  isGeneric: boolean,
): Promise<ExplainedStatement> {
  await client.query(`PREPARE explained AS ${text}`);
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL plan_cache_mode = force_${isGeneric ? 'generic' : 'custom'}_plan`);
    const literals = await toLiterals(client, values);
    const execute = `EXECUTE explained${literals.length > 0 ? ` (${literals.join(', ')})` : ''}`;
    const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${execute}`);
    return { name, ...summarize((rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }])[0].Plan) };
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE explained');
  }
}

/** EXECUTE takes no parameters, so the server turns the values, which may be binary, into literals. */
async function toLiterals(client: pg.ClientBase, values: readonly unknown[]): Promise<string[]> {
  if (values.length === 0) return [];
  const { rows: prepared } = await client.query<{ types: string[] }>(
    `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'explained'`,
  );
  const types = prepared[0]?.types ?? [];
  const columns = values.map((_, i) => `quote_nullable(($${i + 1}::${types[i]})::text) || '::${types[i]}' AS "${i}"`);
  const { rows } = await client.query<Record<string, string>>(`SELECT ${columns.join(', ')}`, [...values]);
  return values.map((_, i) => rows[0]![i]!);
}

function summarize(plan: PlanNode): Omit<ExplainedStatement, 'name'> {
  const nodes = flatten(plan);
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined && /Scan/.test(node['Node Type']));
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort').map((node) => countReturned(node));
  return {
    indexes: unique(nodes.map((node) => node['Index Name'])),
    sequentialScans: unique(
      scans.filter((node) => /Seq Scan/.test(node['Node Type'])).map((node) => node['Relation Name']),
    ),
    rowsRead: scans.reduce((sum, node) => sum + countRows(node), 0),
    rowsSorted: Math.max(0, ...sorts),
    plan: describe(plan, 0),
  };
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

/** Rows that a node returned in all of its loops. */
function countReturned(node: PlanNode): number {
  return Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1));
}

/** Rows that a node returned or dropped by a filter. */
function countRows(node: PlanNode): number {
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return countReturned(node) + Math.round(dropped * (node['Actual Loops'] ?? 1));
}

function describe(node: PlanNode, depth: number): string {
  const name = node['Index Name'] ?? node['Relation Name'];
  const line = `${' '.repeat(depth * 2)}${node['Node Type']}${name ? ` ${name}` : ''}: ${countRows(node)} rows`;
  return [line, ...(node.Plans ?? []).map((child) => describe(child, depth + 1))].join('\n');
}

function unique(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))];
}
