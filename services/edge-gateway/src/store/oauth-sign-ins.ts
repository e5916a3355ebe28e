import type { Queryable } from '@tollgate/postgres';

export interface OAuthSignInRow {
  provider: 'github' | 'google';
  code_verifier: string;
  nonce: string;
  return_to: string | null;
  handoff_nonce: string | null;
  device_code_hash: Buffer | null;
}

export async function insertOAuthSignIn(
  db: Queryable,
  stateHash: Buffer,
  row: OAuthSignInRow,
  ttlMs: number,
): Promise<void> {
  await db.query(
    `INSERT INTO oauth_sign_ins (state_hash, provider, code_verifier, nonce, return_to, handoff_nonce,
                                 device_code_hash, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 ms')`,
    [
      stateHash,
      row.provider,
      row.code_verifier,
      row.nonce,
      row.return_to,
      row.handoff_nonce,
      row.device_code_hash,
      ttlMs,
    ],
  );
}

/** Returns and deletes a sign-in, so that each state works once. */
export async function takeOAuthSignIn(db: Queryable, stateHash: Buffer): Promise<OAuthSignInRow | undefined> {
  const { rows } = await db.query<OAuthSignInRow & { is_alive: boolean }>(
    `DELETE FROM oauth_sign_ins WHERE state_hash = $1
     RETURNING provider, code_verifier, nonce, return_to, handoff_nonce, device_code_hash, expires_at > now() AS is_alive`,
    [stateHash],
  );
  return rows[0]?.is_alive ? rows[0] : undefined;
}
