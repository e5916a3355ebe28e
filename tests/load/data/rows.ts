// Builds the rows of `growth.ts` by set-based SQL.
import type pg from 'pg';
import { loadTable } from './bulk-load.js';
import { GROWTH, type Growth, type Subject } from './growth.js';

/** Tables outside the ledger grow up to here only, so that ten million transfers fit on a disk of 20 GB. */
const OTHER_ROWS_MAX = 1_500_000;
const ROWS_PER_STATEMENT = 500_000;

export interface BuildOptions {
  rows: number;
  /** Only tables of this schema. */
  schema?: string;
  /** Default false: the tables do not survive a crash of the server, and are built faster. */
  isKept?: boolean;
  /** Counts that do not follow from `rows`, by table. */
  counts?: Readonly<Record<string, number>>;
  say: (line: string) => void;
}

/** Builds the rows and the planner's statistics over all clients at once. Triggers and foreign keys are not checked. */
export async function buildRows(
  clients: readonly pg.ClientBase[],
  subject: Subject,
  { rows, schema = '', isKept = false, counts = {}, say }: BuildOptions,
): Promise<void> {
  const startedAt = performance.now();
  const counted = GROWTH.map((growth) => ({ ...growth, count: counts[growth.table] ?? countRows(growth, rows) }));
  const wallets = counted.find(({ table }) => table === 'billing_ledger.accounts')?.count ?? 0;
  const waiting = counted
    .filter(({ table, count }) => table.startsWith(schema) && count > 0)
    .sort((a, b) => b.count - a.count);
  const all = waiting.reduce((sum, { count }) => sum + count, 0);
  let built = 0;
  const work = async (client: pg.ClientBase): Promise<void> => {
    await client.query("SET session_replication_role = replica; SET work_mem = '256MB'");
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { table, count } = next;
      const from = performance.now();
      await buildTable(client, { ...next, wallets }, subject, isKept);
      built += count;
      say(
        `  ${table}: ${count} rows, ${secondsSince(from)}; ${Math.round((100 * built) / all)} % after ${secondsSince(startedAt)}`,
      );
    }
  };
  await Promise.all(clients.map(work));
  const client = clients[0] as pg.ClientBase;
  await addUpAccounts(client);
  const { rows: sizes } = await client.query<{ gb: number }>('SELECT pg_database_size(current_database()) / 1e9 AS gb');
  say(`  ${all} rows, ${Number(sizes[0]?.gb).toFixed(1)} GB, ${secondsSince(startedAt)}`);
}

function countRows({ table, share }: Growth, rows: number): number {
  return Math.round(share * (table.startsWith('billing_ledger.') ? rows : Math.min(rows, OTHER_ROWS_MAX)));
}

async function buildTable(
  client: pg.ClientBase,
  { table, columns, values, count, wallets }: Growth & { count: number; wallets: number },
  subject: Subject,
  isKept: boolean,
): Promise<void> {
  await loadTable(client, table, isKept, async () => {
    for (let from = 1; from <= count; from += ROWS_PER_STATEMENT) {
      const to = Math.min(count, from + ROWS_PER_STATEMENT - 1);
      await client.query(
        `WITH asked AS (SELECT ${count} AS rows, ${wallets} AS wallets) INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${values(subject)} FROM generate_series(${from}, ${to}) n`,
      );
    }
  });
}

/** Gives all accounts the sums of their transfers, as `verify` expects them. */
async function addUpAccounts(client: pg.ClientBase): Promise<void> {
  await client.query(
    `UPDATE billing_ledger.accounts a SET debits = t.debits, credits = t.credits
     FROM (SELECT account, sum(debit)::bigint AS debits, sum(credit)::bigint AS credits
           FROM billing_ledger.transfers
           CROSS JOIN LATERAL (VALUES (debit_account, amount, 0), (credit_account, 0, amount)) AS side (account, debit, credit)
           WHERE account > 1000 GROUP BY 1) t
     WHERE a.id = t.account`,
  );
  await client.query('VACUUM (ANALYZE) billing_ledger.accounts');
}

function secondsSince(from: number): string {
  return `${((performance.now() - from) / 1_000).toFixed(1)} s`;
}
