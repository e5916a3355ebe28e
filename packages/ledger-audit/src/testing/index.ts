import { randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import type pg from 'pg';
import { type SealContext, sealJournal } from '../seal-journal.js';

/** The tables are those of billing-ledger; the tests of this package and of the service migrate them. */
export const LEDGER_MIGRATIONS = new URL('../../../../services/billing-ledger/prisma/migrations', import.meta.url);

/** Runs statements that the journal's trigger would refuse. */
export async function tamper(pool: pg.Pool, sql: string, values: unknown[] = []): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(sql, values);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Moves everything that is booked and not sealed into earlier months. */
export async function ageJournal(pool: pg.Pool, months: number): Promise<void> {
  await tamper(
    pool,
    `UPDATE transfers SET occurred_at = occurred_at - $1::int * interval '1 month'
     WHERE id > (SELECT coalesce(max(last_id), 0) FROM journal_months)`,
    [months],
  );
}

const STEPS_MAX = 1_000;

/** Takes steps until nothing is left to seal. Returns the number of steps. */
export async function sealAll(ctx: SealContext): Promise<number> {
  for (let steps = 1; steps <= STEPS_MAX; steps++) if (!(await sealJournal(ctx))) return steps;
  throw new Error('sealing does not end');
}

export interface BulkAccounts {
  owner: string;
  accounts: bigint[];
}

/** Books `count` transfers from new accounts of a new owner, with sums that match. */
export async function bookTransfers(db: Queryable, count: number, kind = 'provider_cost'): Promise<BulkAccounts> {
  const owner = randomUUID();
  const { rows } = await db.query<{ id: bigint }>(
    `INSERT INTO accounts (kind, ref_id, owner_account_id, is_enforced)
     SELECT 'wallet', gen_random_uuid(), $1, false FROM generate_series(1, 3) RETURNING id`,
    [owner],
  );
  const accounts = rows.map(({ id }) => id);
  await db.query(
    `WITH booked AS (
       INSERT INTO transfers (debit_account, credit_account, amount, kind, cause)
       SELECT ($1::bigint[])[1 + n % 3], 6, n, $3, gen_random_uuid() FROM generate_series(1, $2::int) n
       RETURNING debit_account, amount)
     UPDATE accounts a SET debits = a.debits + b.total
     FROM (SELECT debit_account, sum(amount)::bigint AS total FROM booked GROUP BY 1) b WHERE a.id = b.debit_account`,
    [accounts, count, kind],
  );
  return { owner, accounts };
}
