import type { Queryable } from '@tollgate/postgres';

/** Whether a session of the user is in force. Its end waits for this transaction, or is seen here. */
export async function holdSession(
  db: Queryable,
  { id, userId, at }: { id: string; userId: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM sessions WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3 FOR SHARE`,
    [id, userId, at],
  );
  return rowCount === 1;
}

/** Returns false when the user has no such session, or it has ended. */
export async function endSignIn(
  db: Queryable,
  { id, userId, at }: { id: string; userId: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE sessions SET revoked_at = $3 WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3',
    [id, userId, at],
  );
  return rowCount === 1;
}

export async function insertRefreshToken(
  db: Queryable,
  token: { hash: Buffer; sessionId: string; expiresAt: Date },
): Promise<void> {
  await db.query('INSERT INTO refresh_tokens (token_hash, session_id, expires_at) VALUES ($1, $2, $3)', [
    token.hash,
    token.sessionId,
    token.expiresAt,
  ]);
}

export interface RefreshTokenRow {
  session_id: string;
  user_id: string;
  used_at: Date | null;
  expires_at: Date;
  revoked_at: Date | null;
}

/** Locks the token, so that the second of two concurrent exchanges sees that it was used. */
export async function lockRefreshToken(db: Queryable, hash: Buffer): Promise<RefreshTokenRow | undefined> {
  const result = await db.query<RefreshTokenRow>(
    `SELECT t.session_id, t.used_at, t.expires_at, s.user_id, s.revoked_at
       FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
      WHERE t.token_hash = $1 FOR UPDATE OF t`,
    [hash],
  );
  return result.rows[0];
}

export async function markRefreshTokenUsed(db: Queryable, hash: Buffer, at: Date): Promise<void> {
  await db.query('UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1', [hash, at]);
}

export async function extendSession(db: Queryable, sessionId: string, expiresAt: Date): Promise<void> {
  await db.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [sessionId, expiresAt]);
}

/** Ends all sessions of a user and returns their ids. */
export async function markUserSessionsRevoked(db: Queryable, userId: string, at: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'UPDATE sessions SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL RETURNING id',
    [userId, at],
  );
  return rows.map(({ id }) => id);
}

export async function markSessionRevoked(db: Queryable, sessionId: string, at: Date): Promise<void> {
  await db.query('UPDATE sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL', [sessionId, at]);
}
