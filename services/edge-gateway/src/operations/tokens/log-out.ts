import type { Context } from '../../context.js';
import { hashRefreshToken } from '../../domain/refresh-token.js';
import { lockRefreshToken } from '../../store/sessions.js';
import { revokeSession } from './revoke.js';

/** Ends the session of a refresh token. Ignores an unknown token. */
export async function logOut(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'revocations'>,
  refreshToken: string,
): Promise<void> {
  const token = await lockRefreshToken(ctx.pool, hashRefreshToken(refreshToken));
  if (token && !token.revoked_at) await revokeSession(ctx, token.session_id);
}
