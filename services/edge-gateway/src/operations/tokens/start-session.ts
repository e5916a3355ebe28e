import { randomBytes, randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { type Queryable, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { formatRefreshToken, hashRefreshToken } from '../../domain/refresh-token.js';
import { insertSession } from '../../store/gen/sessions.js';
import { insertRefreshToken } from '../../store/sessions.js';
import { holdPasswordHash } from '../../store/users.js';

export interface SessionTokens {
  accessToken: string;
  /** Lifetime of the access token. */
  expiresAt: Date;
  refreshToken: string;
}

/**
 * Starts a session for a user whose identity was verified: by `passwordHash`, if that is given.
 *
 * @throws AppError UNAUTHORIZED when the password was replaced after it was verified
 */
export async function startSession(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'tokens'>,
  userId: string,
  projectId: string,
  passwordHash?: string | null,
): Promise<SessionTokens> {
  const { sessionId, refreshToken } = await withTransaction(ctx.pool, async (tx) => {
    // A reset that ends all sessions either sees this one or is seen here.
    if (typeof passwordHash === 'string' && !(await holdPasswordHash(tx, userId, passwordHash))) {
      throw new AppError('UNAUTHORIZED', 'the password was replaced; sign in with the new one');
    }
    return writeSession(ctx, tx, userId);
  });
  return { ...(await signAccessToken(ctx, userId, projectId, sessionId)), refreshToken };
}

/** Stores a session and its first refresh token. `device` is what signed in by a code. */
export async function writeSession(
  ctx: Pick<Context, 'clock' | 'config'>,
  tx: Queryable,
  userId: string,
  device?: { clientName: string; address: string },
): Promise<{ sessionId: string; refreshToken: string }> {
  const sessionId = randomUUID();
  const { clientName = null, address = null } = device ?? {};
  await insertSession(tx, { id: sessionId, userId, expiresAt: refreshExpiry(ctx), clientName, address });
  return { sessionId, refreshToken: await issueRefreshToken(ctx, tx, sessionId) };
}

export async function issueRefreshToken(
  ctx: Pick<Context, 'clock' | 'config'>,
  db: Queryable,
  sessionId: string,
): Promise<string> {
  const token = formatRefreshToken(randomBytes(32));
  await insertRefreshToken(db, { hash: hashRefreshToken(token), sessionId, expiresAt: refreshExpiry(ctx) });
  return token;
}

export async function signAccessToken(
  ctx: Pick<Context, 'config' | 'tokens'>,
  userId: string,
  projectId: string,
  sessionId: string,
): Promise<Pick<SessionTokens, 'accessToken' | 'expiresAt'>> {
  const ttlSeconds = Math.max(1, Math.floor(ctx.config.tokens.accessTtlMs / 1000));
  const claims = { typ: 'access', sub: userId, sid: sessionId, pid: projectId } as const;
  const { token, expiresAt } = await ctx.tokens.sign(claims, ttlSeconds);
  return { accessToken: token, expiresAt };
}

export function refreshExpiry(ctx: Pick<Context, 'clock' | 'config'>): Date {
  return new Date(ctx.clock.nowMs() + ctx.config.tokens.refreshTtlMs);
}
