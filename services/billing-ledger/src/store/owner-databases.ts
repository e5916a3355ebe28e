import type { Queryable } from '@tollgate/postgres';
import { MAIN_DATABASE } from '../domain/databases/ledger-databases.js';

export async function readOwnerDatabase(db: Queryable, ownerAccountId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ database: string }>(
    'SELECT database FROM owner_databases WHERE owner_account_id = $1',
    [ownerAccountId],
  );
  return rows[0]?.database;
}

/**
 * Assigns an owner account to a database unless it has one. An owner that already has rows in the first database stays there:
 * it used the ledger before there were others.
 */
export async function assignOwnerDatabase(
  db: Queryable,
  owner: { accountId: string; projectId: string },
  database: string,
): Promise<void> {
  await db.query(
    `INSERT INTO owner_databases (owner_account_id, database)
     SELECT $1::uuid, CASE WHEN
       EXISTS (SELECT 1 FROM accounts WHERE owner_account_id = $1::uuid)
       OR EXISTS (SELECT 1 FROM customers WHERE account_id = $1::uuid)
       OR EXISTS (SELECT 1 FROM tiers WHERE project_id = $2::uuid)
       OR EXISTS (SELECT 1 FROM account_limits WHERE owner_account_id = $1::uuid)
       OR EXISTS (SELECT 1 FROM auto_topups WHERE account_id = $1::uuid)
       OR EXISTS (SELECT 1 FROM processor_customers WHERE ref_kind = 'account' AND ref_id = $1::uuid)
       THEN '${MAIN_DATABASE}' ELSE $3::text END
     ON CONFLICT (owner_account_id) DO NOTHING`,
    [owner.accountId, owner.projectId || null, database],
  );
}

/** Records that an owner has rows in this database that do not name it, so that it is not assigned to another one later. */
export async function keepOwnerHere(tx: Queryable, ownerAccountId: string, database: string): Promise<void> {
  await tx.query(
    'INSERT INTO owner_databases (owner_account_id, database) VALUES ($1, $2) ON CONFLICT (owner_account_id) DO NOTHING',
    [ownerAccountId, database],
  );
}
