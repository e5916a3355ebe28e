import type { Queryable } from '@tollgate/postgres';

/** After this time without a wrong password, counting restarts at zero. */
export const FORGET_FAILURES_AFTER = "interval '1 day'";
/** A source stays known this long after its last successful sign-in. */
export const KNOWN_FOR = "interval '90 days'";

export interface SignInSourceRow {
  source: string;
  is_known: boolean;
  /** Until when sign-ins from this source are refused; null when they are not. */
  blocked_until: Date | null;
}

export async function readSignInSources(
  db: Queryable,
  emailKey: string,
  sources: readonly string[],
): Promise<SignInSourceRow[]> {
  const { rows } = await db.query<SignInSourceRow>(
    `SELECT source, coalesce(succeeded_at > now() - ${KNOWN_FOR}, false) AS is_known,
            CASE WHEN blocked_until > now() THEN blocked_until END AS blocked_until
       FROM sign_in_sources WHERE email_key = $1 AND source = ANY($2)`,
    [emailKey, sources],
  );
  return rows;
}

/** Counts a wrong password and returns the number of consecutive ones. */
export async function countSignInFailure(db: Queryable, emailKey: string, source: string): Promise<number> {
  const { rows } = await db.query<{ failures: number }>(
    `INSERT INTO sign_in_sources AS s (email_key, source, failures, failed_at) VALUES ($1, $2, 1, now())
     ON CONFLICT (email_key, source) DO UPDATE
       SET failures = CASE WHEN s.failed_at > now() - ${FORGET_FAILURES_AFTER} THEN s.failures + 1 ELSE 1 END,
           failed_at = now(), touched_at = now()
     RETURNING failures`,
    [emailKey, source],
  );
  return rows[0]!.failures;
}

export async function blockSignIn(db: Queryable, emailKey: string, source: string, blockMs: number): Promise<void> {
  await db.query(
    `UPDATE sign_in_sources SET blocked_until = now() + $3 * interval '1 ms' WHERE email_key = $1 AND source = $2`,
    [emailKey, source, blockMs],
  );
}

/** Marks the sources as known. Resets the failures of the source of the successful sign-in only. */
export async function rememberSignIn(
  db: Queryable,
  emailKey: string,
  sources: readonly string[],
  proven: string,
): Promise<void> {
  await db.query(
    `INSERT INTO sign_in_sources AS s (email_key, source, succeeded_at)
     SELECT $1, source, now() FROM unnest($2::text[]) AS source ORDER BY source
     ON CONFLICT (email_key, source) DO UPDATE
       SET succeeded_at = now(), touched_at = now(), failures = CASE WHEN s.source = $3 THEN 0 ELSE s.failures END`,
    [emailKey, sources, proven],
  );
}
