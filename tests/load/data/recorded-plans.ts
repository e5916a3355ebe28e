// Explains the statements that the services send, as they send them: on their connection, with their values and settings.
import pg from 'pg';

export interface RecordedPlan {
  statement: string;
  /** Under which it is prepared. */
  name?: string;
  /** Of the slowest execution. */
  ms: number;
  buffers: number;
  /** Sequential scans, as `schema.table`, and sorts of many rows. */
  scans: string[];
  /** Node types and indexes, from the top. */
  summary: string;
  error?: string;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Schema?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

interface Explained {
  Plan: PlanNode;
  'Execution Time': number;
}

/** Number of executions of a statement that are explained; their plans may differ with the data. */
const EXECUTIONS_MAX = 3;
/** A sort that reads more rows than any page or batch holds. */
const SORTED_ROWS_MAX = 5_000;
const EXPLAINED = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

const plans = new Map<string, RecordedPlan>();
const executions = new Map<string, number>();
const inTransaction = new WeakSet<pg.Client>();
let isRecording = false;
let table: ReadonlySet<string> = new Set();

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Must be called before the services open their connections. */
export function installRecorder(growingTables: ReadonlySet<string>): void {
  table = growingTables;
  const send: Query = pg.Client.prototype.query;
  const record: Query = function record(...args) {
    const [first, second] = args;
    const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '');
    const values = Array.isArray(second) ? second : (first as { values?: unknown[] } | undefined)?.values;
    if (/^\s*BEGIN/i.test(text)) inTransaction.add(this);
    if (/^\s*(COMMIT|ROLLBACK)\s*$/i.test(text)) inTransaction.delete(this);
    const { name } = typeof first === 'object' ? (first as { name?: string }) : {};
    if (isRecording && EXPLAINED.test(text)) explain(this, send, text, values, name);
    return send.apply(this, args);
  };
  Object.assign(pg.Client.prototype, { query: record });
}

/** Forgets what was recorded before. */
export function startRecording(): void {
  plans.clear();
  executions.clear();
  isRecording = true;
}

export function stopRecording(): RecordedPlan[] {
  isRecording = false;
  return [...plans.values()];
}

/** Queues the explanation ahead of the statement on the same connection, and undoes its effects. */
function explain(client: pg.Client, send: Query, text: string, values?: unknown[], name?: string): void {
  const key = text.replaceAll(/\s+/g, ' ').trim();
  const count = executions.get(key) ?? 0;
  if (count >= EXECUTIONS_MAX) return;
  executions.set(key, count + 1);
  const isInside = inTransaction.has(client);
  const run = (sql: string, parameters?: unknown[]) =>
    send.call(client, sql, ...(parameters ? [parameters] : [])) as Promise<pg.QueryResult>;
  const ignore = () => undefined;
  run(isInside ? 'SAVEPOINT explained' : 'BEGIN').catch(ignore);
  run(`EXPLAIN (ANALYZE, BUFFERS, VERBOSE, FORMAT JSON) ${text}`, values).then(
    // Several statements in one text have several results, of which none is a plan.
    ({ rows }) => {
      const explained = (rows?.[0]?.['QUERY PLAN'] as Explained[] | undefined)?.[0];
      if (explained) keep(key, explained, name);
    },
    (error: Error) => {
      if (!plans.has(key))
        plans.set(key, { statement: key, ms: 0, buffers: 0, scans: [], summary: '', error: error.message });
    },
  );
  run(isInside ? 'ROLLBACK TO SAVEPOINT explained' : 'ROLLBACK').catch(ignore);
}

function keep(statement: string, { Plan: plan, 'Execution Time': ms }: Explained, name?: string): void {
  const nodes = flatten(plan);
  const scans = nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => `${node.Schema}.${node['Relation Name']}`)
    .filter((name) => table.has(name));
  scans.push(...nodes.filter(isLargeSort).map((node) => `sort of ${countRows(node.Plans?.[0])} rows`));
  const summary = nodes
    .filter((node) => node['Relation Name'] ?? node['Index Name'])
    .map((node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`);
  const buffers = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  const before = plans.get(statement);
  if (before && before.ms >= ms && before.scans.length >= scans.length) return;
  plans.set(statement, {
    statement,
    ...(name !== undefined && { name }),
    ms,
    buffers,
    scans: [...new Set(scans)],
    summary: [...new Set(summary)].join(', '),
  });
}

function isLargeSort(node: PlanNode): boolean {
  return node['Node Type'] === 'Sort' && countRows(node.Plans?.[0]) > SORTED_ROWS_MAX;
}

function countRows(node: PlanNode | undefined): number {
  return (node?.['Actual Rows'] ?? 0) * (node?.['Actual Loops'] ?? 1);
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
