import { AppError } from '@tollgate/errors';
import type { OAuthProviderId } from '../../../auth/oauth-providers.js';
import type { Context } from '../../../context.js';

/** Registered with the providers as the redirect URI, under PUBLIC_BASE_URL. */
export const OAUTH_CALLBACK_PATH = '/api/v1/auth/oauth/callback';

export function requireProvider(ctx: Context, provider: OAuthProviderId): void {
  if (ctx.oauth.names.includes(provider)) return;
  const message = `sign-in with ${provider} is not configured`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'provider', message: 'is not configured' }] });
}
