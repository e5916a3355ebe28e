import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { hashRefreshToken } from '../../domain/refresh-token.js';
import { extendSession, lockRefreshToken, markRefreshTokenUsed } from '../../store/sessions.js';
import { findUser } from '../../store/users.js';
import { recordAudit } from '../record-audit.js';
import { announceRevocation, writeSessionRevocation } from './revoke.js';
import { issueRefreshToken, refreshExpiry, type SessionTokens, signAccessToken } from './start-session.js';

type Exchange =
  | { kind: 'exchanged'; sessionId: string; userId: string; refreshToken: string }
  /** A token was reused, so it was copied; the whole session is revoked because the thief is unknown. */
  | { kind: 'reused'; sessionId: string; userId: string }
  | { kind: 'invalid' };

/** Exchanges a refresh token for a new pair, once. A second exchange of the same token ends the whole session. */
export async function refreshSession(
  ctx: Pick<Context, 'clock' | 'config' | 'directory' | 'logger' | 'pool' | 'revocations' | 'tokens'>,
  refreshToken: string,
  asker: { address: string; requestId: string },
): Promise<SessionTokens | undefined> {
  const exchange = await exchangeToken(ctx, hashRefreshToken(refreshToken));
  if (exchange.kind === 'reused') {
    announceRevocation(ctx, 'session', exchange.sessionId);
    await recordReuse(ctx, exchange, asker);
  }
  if (exchange.kind !== 'exchanged') return undefined;
  const owner = await ctx.directory.owner(exchange.userId);
  if (!owner) return undefined;
  const access = await signAccessToken(ctx, exchange.userId, owner.project.projectId, exchange.sessionId);
  return { ...access, refreshToken: exchange.refreshToken };
}

/** Returns the outcome instead of throwing, so that the revocation commits. */
function exchangeToken(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'revocations'>,
  hash: Buffer,
): Promise<Exchange> {
  return withTransaction(ctx.pool, async (tx): Promise<Exchange> => {
    const token = await lockRefreshToken(tx, hash);
    const now = ctx.clock.now();
    if (!token || token.revoked_at || token.expires_at <= now) return { kind: 'invalid' };
    const { session_id: sessionId, user_id: userId } = token;
    if (token.used_at) {
      await writeSessionRevocation(ctx, tx, sessionId);
      return { kind: 'reused', sessionId, userId };
    }
    await markRefreshTokenUsed(tx, hash, now);
    await extendSession(tx, sessionId, refreshExpiry(ctx));
    return { kind: 'exchanged', sessionId, userId, refreshToken: await issueRefreshToken(ctx, tx, sessionId) };
  });
}

async function recordReuse(
  ctx: Pick<Context, 'clock' | 'logger' | 'pool'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  { address, requestId }: { address: string; requestId: string },
): Promise<void> {
  const user = await findUser(ctx.pool, userId);
  if (!user) return;
  await recordAudit(ctx, {
    accountId: user.accountId,
    action: 'session.reuse_detected',
    actorKind: 'anonymous',
    actorId: address,
    subjectId: sessionId,
    address,
    requestId,
  });
}
