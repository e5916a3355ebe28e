import type { IncomingHttpHeaders } from 'node:http';
import { oauthStartQuery, oauthStartResponse } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import type { OAuthProviderId } from '../../../auth/oauth-providers.js';
import type { Context } from '../../../context.js';
import { isAllowedReturn, toConsolePath } from '../../../domain/return-to.js';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { recordAudit, signedIn } from '../../../operations/record-audit.js';
import type { IdentitySignIn, NewOwner } from '../../../operations/sign-in/sign-in-with-identity.js';
import { type OAuthStart, startOAuth as startSignIn } from '../../../operations/sign-in/start-oauth.js';
import { type SessionTokens, startSession } from '../../../operations/tokens/start-session.js';
import type { User } from '../../../store/users.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute, type JsonResult, type RouteInput } from '../../exchange/route.js';
import { requireSameOrigin } from './browser-session.js';
import { readBrowser } from './cookies.js';

/** The redirect URI registered with the providers, under PUBLIC_BASE_URL. */
export const OAUTH_CALLBACK_PATH = '/api/v1/auth/oauth/callback';

/** Opened by the browser that completes the sign-in; another program may have started it. */
const OAUTH_AUTHORIZE_PATH = '/api/v1/auth/oauth/authorize';

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

function requireReturn(ctx: Pick<Context, 'config'>, returnTo: string | undefined): void {
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
  const location = await startSignIn(ctx, { ...start, redirectUri, browserId: browser.id });
  return { status: 303, headers: { Location: location, 'Set-Cookie': browser.cookie } };
}

/** The target of `POST /auth/oauth/start`. Sets the browser's id, to which the sign-in is bound. */
export const authorizeOAuth = defineRoute({
  method: 'GET',
  path: '/auth/oauth/authorize',
  tag: 'Authentication',
  summary: 'Redirect a browser to GitHub or Google; called by browsers only',
  operationId: 'authorizeOAuth',
  description:
    'Sets a cookie that binds the sign-in to the browser, and redirects to the provider. With a path of the console as `return_to`, the session goes into a cookie of this browser, as `PUT /auth/browser-session` does; pages of other origins cannot start that.',
  auth: 'none',
  query: oauthStartQuery,
  success: { status: 303 },
  refusals: [403],
  handler: async ({ query, headers, address }, ctx) => {
    await enforceSignInLimit('oauth', address, undefined, ctx);
    const { provider, return_to: given, handoff_nonce: handoffNonce } = query;
    requireProvider(ctx, provider);
    const consolePath = given === undefined ? undefined : toConsolePath(given);
    if (consolePath === undefined) requireReturn(ctx, given);
    else requireSameOrigin(ctx, headers);
    const returnTo = consolePath ?? given;
    return leadToProvider(ctx, headers, { provider, returnTo, handoffNonce });
  },
});

export const startOAuth = defineRoute({
  method: 'POST',
  path: '/auth/oauth/start',
  tag: 'Authentication',
  summary: 'Start a sign-in with GitHub or Google; returns the URL to open in a browser',
  operationId: 'startOAuth',
  description:
    'The URL is of this server; it redirects to the provider. The browser that opens it must also complete the sign-in.',
  auth: 'none',
  query: oauthStartQuery,
  success: { status: 200, schema: oauthStartResponse },
  handler: async ({ query, headers, address }, ctx) => {
    await enforceSignInLimit('oauth', address, undefined, ctx);
    requireProvider(ctx, query.provider);
    requireReturn(ctx, query.return_to);
    const url = new URL(`${publicBaseUrl(ctx, headers)}${OAUTH_AUTHORIZE_PATH}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return { body: { redirect_url: url.href } };
  },
});

interface OwnerSession {
  user: User;
  projectId: string;
  tokens: SessionTokens;
}

/** Starts the session of an owner whom a provider has identified, and writes it to the audit log. */
export async function startOwnerSession(
  ctx: Pick<Context, 'clock' | 'config' | 'directory' | 'logger' | 'pool' | 'tokens'>,
  outcome: Extract<IdentitySignIn<NewOwner>, { kind: 'known' | 'registered' }>,
  { address, call: { requestId } }: Pick<CallbackInput, 'address' | 'call'>,
): Promise<OwnerSession> {
  const user = outcome.kind === 'known' ? outcome.user : outcome.owner.user;
  const owner = await ctx.directory.owner(user.id);
  if (!owner) throw new AppError('UNAUTHORIZED', 'invalid credentials');
  const { projectId } = owner.project;
  const tokens = await startSession(ctx, user.id, projectId);
  const entry = signedIn(user, address, requestId);
  await recordAudit(ctx, outcome.kind === 'known' ? entry : { ...entry, action: 'account.registered' });
  return { user, projectId, tokens };
}
