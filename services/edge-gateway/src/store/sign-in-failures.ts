import type { Queryable } from '@tollgate/postgres';

/** After a day without a wrong password counting begins anew. */
const FORGET_AFTER = "interval '1 day'";

/** Until when the e-mail's password is not looked at; undefined when it is. */
export async function readLockedUntil(db: Queryable, emailKey: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ locked_until: Date }>(
    'SELECT locked_until FROM sign_in_failures WHERE email_key = $1 AND locked_until > now()',
    [emailKey],
  );
  return rows[0]?.locked_until;
}

/** Counts a wrong password and gives how many there have been in a row. */
export async function countSignInFailure(db: Queryable, emailKey: string): Promise<number> {
  const { rows } = await db.query<{ failures: number }>(
    `INSERT INTO sign_in_failures AS f (email_key, failures, failed_at) VALUES ($1, 1, now())
     ON CONFLICT (email_key) DO UPDATE
       SET failures = CASE WHEN f.failed_at < now() - ${FORGET_AFTER} THEN 1 ELSE f.failures + 1 END, failed_at = now()
     RETURNING failures`,
    [emailKey],
  );
  return rows[0]!.failures;
}

export async function lockSignIn(db: Queryable, emailKey: string, lockMs: number): Promise<void> {
  await db.query("UPDATE sign_in_failures SET locked_until = now() + $2 * interval '1 ms' WHERE email_key = $1", [
    emailKey,
    lockMs,
  ]);
}

export async function forgetSignInFailures(db: Queryable, emailKey: string): Promise<void> {
  await db.query('DELETE FROM sign_in_failures WHERE email_key = $1', [emailKey]);
}

export async function deleteOldSignInFailures(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM sign_in_failures WHERE failed_at < now() - ${FORGET_AFTER}`);
}
