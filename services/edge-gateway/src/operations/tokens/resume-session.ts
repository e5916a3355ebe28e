import type { Context } from '../../context.js';
import { hashRefreshToken } from '../../domain/refresh-token.js';
import { lockRefreshToken } from '../../store/sessions.js';
import { type SessionTokens, signAccessToken } from './start-session.js';

/**
 * Returns a new access token for the session of a refresh token that scripts cannot read. The refresh token stays valid:
 * a browser has several tabs with one cookie, and loses the answer of a page that is being reloaded. Undefined for a
 * token that is unknown, used, expired or revoked.
 */
export async function resumeSession(
  ctx: Pick<Context, 'clock' | 'config' | 'directory' | 'pool' | 'tokens'>,
  refreshToken: string,
): Promise<Omit<SessionTokens, 'refreshToken'> | undefined> {
  const token = await lockRefreshToken(ctx.pool, hashRefreshToken(refreshToken));
  if (!token || token.used_at || token.revoked_at || token.expires_at <= ctx.clock.now()) return undefined;
  const owner = await ctx.directory.owner(token.user_id);
  return owner && signAccessToken(ctx, token.user_id, owner.project.projectId, token.session_id);
}
