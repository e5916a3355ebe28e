import type { Queryable } from '@tollgate/postgres';
import type pg from 'pg';

const ofAccount = (id: string) => `(SELECT a.owner_account_id FROM accounts a WHERE a.id = ${id} AND a.id > 1000)`;
const ofHold = (id: string) => `(SELECT h.owner_account_id FROM holds h WHERE h.request_id = ${id})`;
const ofCustomer = (id: string) => `(SELECT c.account_id FROM customers c WHERE c.id = ${id})`;
const ofProject = (id: string) => `(SELECT c.account_id FROM customers c WHERE c.project_id = ${id} LIMIT 1)`;

/** The owner account of each row `t`, by table. Tables that others refer to come last, so that rows are deleted after their parts. */
const OWNERS: Readonly<Record<string, string>> = {
  transfers: `coalesce(${ofAccount('t.debit_account')}, ${ofAccount('t.credit_account')}, ${ofHold('t.cause')})`,
  usage_thresholds: ofAccount('t.account_id'),
  usage_rollups: 't.owner_account_id',
  hold_parts: `coalesce(${ofHold('t.request_id')}, ${ofHold('t.part_id')})`,
  account_limits: 't.owner_account_id',
  admission_blocks: ofProject('t.project_id'),
  subscriptions: ofCustomer('t.customer_id'),
  payment_refunds: 't.owner_account_id',
  payment_orders: 't.account_id',
  processor_customers: ofCustomer('t.ref_id'),
  tier_models: `(SELECT ${ofProject('tier.project_id')} FROM tiers tier WHERE tier.id = t.tier_id)`,
  tiers: ofProject('t.project_id'),
  customers: 't.account_id',
  holds: 't.owner_account_id',
  // Counter-accounts exist in every database and have no sums.
  accounts: 'CASE WHEN t.id > 1000 THEN t.owner_account_id END',
};

/** Tables of one database, not of an owner. The outbox is empty whenever rows are compared; its events are compared instead. */
const OF_THE_DATABASE: ReadonlySet<string> = new Set([
  'outbox',
  'outbox_lease',
  'journal_months',
  'sealed_balances',
  '_prisma_migrations',
]);

/** Returns the tables that hold rows and are neither an owner's nor the database's. */
export async function findTablesWithoutOwner(db: Queryable, schema: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('SELECT tablename AS name FROM pg_tables WHERE schemaname = $1', [
    schema,
  ]);
  const found: string[] = [];
  for (const { name } of rows) {
    if (OWNERS[name] || OF_THE_DATABASE.has(name)) continue;
    if ((await db.query(`SELECT 1 FROM "${name}" LIMIT 1`)).rowCount !== 0) found.push(name);
  }
  return found;
}

/** Returns whether the table holds rows of owners. */
export function hasOwner(table: string): boolean {
  return OWNERS[table] !== undefined || OF_THE_DATABASE.has(table);
}

/** Deletes the rows of all other owners. */
export async function keepOwner(pool: pg.Pool, owner: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica'); // the journal is append-only
    for (const [table, ownerOf] of Object.entries(OWNERS))
      await client.query(`DELETE FROM ${table} t WHERE ${ownerOf} <> $1`, [owner]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Locks every row of an owner until the transaction of `client` ends. */
export async function lockOwnerRows(client: Queryable, owner: string): Promise<void> {
  for (const [table, ownerOf] of Object.entries(OWNERS))
    await client.query(`SELECT 1 FROM ${table} t WHERE ${ownerOf} = $1 FOR UPDATE OF t`, [owner]);
}

/** Counts rows by table and owner, as sorted lines. Rows without an owner are counted as `none`. */
export async function countRowsByOwner(db: Queryable): Promise<string[]> {
  const lines: string[] = [];
  for (const [table, ownerOf] of Object.entries(OWNERS)) {
    const isOwned = table === 'accounts' ? 't.id > 1000' : 'true';
    // A window of usage has a row per day, and the databases may be used on two sides of midnight.
    const what = table === 'usage_rollups' ? 'DISTINCT (customer_id, window_start, project_id, key_id, model_id)' : '*';
    const { rows } = await db.query<{ owner: string | null; count: number }>(
      `SELECT ${ownerOf} AS owner, count(${what})::int AS count FROM ${table} t WHERE ${isOwned} GROUP BY 1`,
    );
    for (const { owner, count } of rows) lines.push(`${table} of ${owner ?? 'none'}: ${count}`);
  }
  return lines.sort();
}
