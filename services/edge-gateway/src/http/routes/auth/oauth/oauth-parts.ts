import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@tollgate/errors';
import type { OAuthProviderId } from '../../../../auth/oauth-providers.js';
import type { Context } from '../../../../context.js';
import { isAllowedReturn } from '../../../../domain/return-to.js';
import { type OAuthStart, startOAuth } from '../../../../operations/sign-in/start-oauth.js';
import { publicBaseUrl } from '../../../exchange/public-base-url.js';
import type { JsonResult, RouteInput } from '../../../exchange/route.js';
import { readBrowser } from '../browser-cookie.js';

/** The redirect URI registered with the providers, under PUBLIC_BASE_URL. */
export const OAUTH_CALLBACK_PATH = '/api/v1/auth/oauth/callback';

/** Opened by the browser that completes the sign-in; another program may have started it. */
export const OAUTH_AUTHORIZE_PATH = '/api/v1/auth/oauth/authorize';

/** The request to which a provider redirects the browser. */
export type CallbackInput = RouteInput<
  unknown,
  { state: string; code?: string | undefined; error?: string | undefined },
  unknown
>;

export function requireProvider(ctx: Pick<Context, 'oauth'>, provider: OAuthProviderId): void {
  if (ctx.oauth.ids.includes(provider)) return;
  const message = `sign-in with ${provider} is not configured`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'provider', message: 'is not configured' }] });
}

export function requireReturn(ctx: Pick<Context, 'config'>, returnTo: string | undefined): void {
  if (returnTo === undefined || isAllowedReturn(returnTo, ctx.config.oauth.returnOrigins)) return;
  const message = 'must be a loopback address or an allowed origin';
  throw new AppError('VALIDATION_ERROR', `return_to: ${message}`, { fields: [{ field: 'return_to', message }] });
}

/** Redirects the browser to the provider. Only this browser can complete the sign-in. */
export async function leadToProvider(
  ctx: Pick<Context, 'config' | 'oauth' | 'pool'>,
  headers: IncomingHttpHeaders,
  start: Omit<OAuthStart, 'redirectUri' | 'browserId'>,
): Promise<JsonResult> {
  const browser = readBrowser(ctx, headers);
  const redirectUri = `${publicBaseUrl(ctx, headers)}${OAUTH_CALLBACK_PATH}`;
  const location = await startOAuth(ctx, { ...start, redirectUri, browserId: browser.id });
  return { status: 303, headers: { Location: location, 'Set-Cookie': browser.cookie } };
}
