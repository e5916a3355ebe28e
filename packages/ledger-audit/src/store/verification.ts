import type { Queryable } from '@tollgate/postgres';
import { type LedgerDifferencesRow, ledgerDifferences as readDifferences } from './gen/verification.js';

export type DifferenceRow = LedgerDifferencesRow;

/** `all` reads every transfer that still exists; `open` starts from the sealed balances and reads only the open months. */
export type VerifiedPart = 'all' | 'open';

/** Returns the owner's accounts whose sums differ from their transfers, open holds and pending refunds; empty if consistent. */
export async function ledgerDifferences(db: Queryable, ownerAccountId: string): Promise<DifferenceRow[]> {
  return differencesOfOwners(db, 'open', [ownerAccountId]);
}

/** Like {@link ledgerDifferences}, for several owners. */
export async function differencesOfOwners(
  db: Queryable,
  part: VerifiedPart,
  owners: readonly string[],
): Promise<DifferenceRow[]> {
  return readDifferences(db, { owners, isWhole: part === 'all' });
}

/** The owner of the counter-accounts. Every other owner has a greater id. */
export const FIRST_OWNER = '00000000-0000-0000-0000-000000000000';

/** Lists owner accounts in the order of their ids; jumps from one to the next along the index. */
export async function listOwners(db: Queryable, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ owner: string }>(
    `WITH RECURSIVE owners AS (
       (SELECT owner_account_id AS owner, 1 AS n FROM accounts WHERE owner_account_id > $1 ORDER BY 1 LIMIT 1)
       UNION ALL
       SELECT (SELECT owner_account_id FROM accounts WHERE owner_account_id > owners.owner ORDER BY 1 LIMIT 1), n + 1
       FROM owners WHERE owners.owner IS NOT NULL AND n < $2)
     SELECT owner FROM owners WHERE owner IS NOT NULL`,
    [after, limit],
  );
  return rows.map(({ owner }) => owner);
}
