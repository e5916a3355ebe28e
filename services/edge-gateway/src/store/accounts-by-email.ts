import type { Queryable } from '@tollgate/postgres';

/** Returns the owner account of the user with this email. */
export async function findAccountIdByEmailKey(db: Queryable, emailKey: string): Promise<string | undefined> {
  const { rows } = await db.query<{ account_id: string }>('SELECT account_id FROM users WHERE email_key = $1', [
    emailKey,
  ]);
  return rows[0]?.account_id;
}
