import type { Queryable } from '@tollgate/postgres';
import { insertOauthState } from './gen/sign-ins.js';

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
  await insertOauthState(db, {
    stateHash,
    provider: row.provider,
    codeVerifier: row.code_verifier,
    nonce: row.nonce,
    returnTo: row.return_to,
    handoffNonce: row.handoff_nonce,
    deviceCodeHash: row.device_code_hash,
    ttlMs,
  });
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
