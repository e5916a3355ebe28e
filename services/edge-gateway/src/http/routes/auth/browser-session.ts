import type { IncomingHttpHeaders } from 'node:http';
import {
  browserSessionSchema,
  keepBrowserSessionBody,
  signInOptionsSchema,
  signUpInBrowserBody,
} from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { parseUrl } from '@tollgate/runtime/parse-url';
import type { Context } from '../../../context.js';
import { emailKey } from '../../../domain/email.js';
import { enforceSignInLimit, refuseSecret } from '../../../limits/rate-limit.js';
import { registerOwnerInBrowser } from '../../../operations/sign-in/register-owner.js';
import { welcomeOwner } from '../../../operations/sign-in/welcome-owner.js';
import { logOut } from '../../../operations/tokens/log-out.js';
import { refreshSession } from '../../../operations/tokens/refresh-session.js';
import { resumeSession } from '../../../operations/tokens/resume-session.js';
import { startSession } from '../../../operations/tokens/start-session.js';
import { defineRoute } from '../../exchange/route.js';
import { readBrowserId, readCookie, writeCookie } from './cookies.js';
import { browserSessionJson } from './sessions.js';

export const getSignInOptions = defineRoute({
  method: 'GET',
  path: '/auth/sign-in-options',
  tag: 'Authentication',
  summary: 'Get the ways to sign in that this deployment offers',
  operationId: 'getSignInOptions',
  description: 'For a page that signs owners in: the providers that are configured, and whether there is a demo owner.',
  auth: 'none',
  success: { status: 200, schema: signInOptionsSchema },
  handler: async (_input, { config, mailer, oauth }) => ({
    body: {
      oauth_providers: oauth.ids,
      oauth_names: oauth.names,
      demo_owner: config.devMode,
      password_reset: mailer !== undefined,
    },
  }),
});

/** `POST /auth/register` for the console: the answer has neither a secret key nor a refresh token. */
export const signUpInBrowser = defineRoute({
  method: 'POST',
  path: '/auth/browser-session/sign-up',
  tag: 'Authentication',
  summary: 'Create an account and sign this browser in',
  operationId: 'signUpInBrowser',
  description:
    'Creates an account with a first project and no key. The browser gets the session as a cookie that scripts cannot read. Rejects pages of other origins.',
  auth: 'none',
  body: signUpInBrowserBody,
  success: { status: 201, schema: browserSessionSchema },
  refusals: [403, 409],
  handler: async ({ body: { email, password }, address, headers, call: { requestId } }, ctx) => {
    requireSameOrigin(ctx, headers);
    await enforceSignInLimit('register', address, emailKey(email), ctx);
    const { user, project } = await registerOwnerInBrowser(ctx, { email, password });
    await welcomeOwner(ctx, user, { address, browserId: readBrowserId(headers) }, requestId);
    const tokens = await startSession(ctx, user.id, project.id);
    return { status: 201, body: browserSessionJson(tokens), headers: sessionCookie(ctx, tokens.refreshToken) };
  },
});

/** The token that the page sends is used up, so that the only valid one is in the cookie, where scripts cannot read it. */
export const keepBrowserSession = defineRoute({
  method: 'PUT',
  path: '/auth/browser-session',
  tag: 'Authentication',
  summary: 'Move a session into a cookie of this browser that scripts cannot read',
  operationId: 'keepBrowserSession',
  description:
    'Exchanges the refresh token of a sign-in for a new one, which the browser gets as a cookie that scripts cannot read and other sites do not send. Rejects pages of other origins.',
  auth: 'none',
  body: keepBrowserSessionBody,
  success: { status: 200, schema: browserSessionSchema },
  refusals: [401, 403],
  handler: async ({ body, headers, address, call: { requestId } }, ctx) => {
    requireSameOrigin(ctx, headers);
    const tokens = await refreshSession(ctx, body.refresh_token, { address, requestId });
    if (!tokens) return refuseSecret('refresh', address, 'invalid refresh token', ctx);
    return { body: browserSessionJson(tokens), headers: sessionCookie(ctx, tokens.refreshToken) };
  },
});

const NO_SESSION = 'this browser has no session';

export const resumeBrowserSession = defineRoute({
  method: 'POST',
  path: '/auth/browser-session',
  tag: 'Authentication',
  summary: 'Get an access token for the session in the cookie of this browser',
  operationId: 'resumeBrowserSession',
  description:
    'The refresh token in the cookie stays valid, so that several tabs can share it. Rejects pages of other origins.',
  auth: 'none',
  success: { status: 200, schema: browserSessionSchema },
  refusals: [401, 403],
  handler: async ({ headers, address }, ctx) => {
    requireSameOrigin(ctx, headers);
    const token = readSessionCookie(headers);
    if (token === undefined) throw new AppError('UNAUTHORIZED', NO_SESSION);
    const tokens = await resumeSession(ctx, token);
    if (!tokens) return refuseSecret('refresh', address, NO_SESSION, ctx);
    return { body: browserSessionJson(tokens) };
  },
});

export const endBrowserSession = defineRoute({
  method: 'DELETE',
  path: '/auth/browser-session',
  tag: 'Authentication',
  summary: 'End the session in the cookie of this browser',
  operationId: 'endBrowserSession',
  description: 'Revokes the session and makes the browser delete its cookie. Rejects pages of other origins.',
  auth: 'none',
  success: { status: 204 },
  refusals: [403],
  handler: async ({ headers }, ctx) => {
    requireSameOrigin(ctx, headers);
    const token = readSessionCookie(headers);
    if (token !== undefined) await logOut(ctx, token);
    return { status: 204, headers: noSessionCookie(ctx) };
  },
});

/**
 * Rejects what a page of another origin sends: the endpoint acts by a cookie, or sets it. Browsers name the origin of the
 * page on every POST, PUT and DELETE; programs without pages name none.
 *
 * @throws AppError FORBIDDEN
 */
export function requireSameOrigin(ctx: Pick<Context, 'config'>, headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (site === 'same-origin' && (headers.origin === undefined || isOwnOrigin(ctx, headers, headers.origin))) return;
  throw new AppError('FORBIDDEN', 'this endpoint accepts no requests from pages of another origin');
}

/** A proxy may end TLS and may pass on another host than the browser's. */
function isOwnOrigin({ config }: Pick<Context, 'config'>, { host }: IncomingHttpHeaders, origin: string): boolean {
  const url = parseUrl(origin);
  if (!url) return false;
  return url.host === host || url.origin === parseUrl(config.publicBaseUrl ?? '')?.origin;
}

const NAME = 'tollgate_session';
/** Only these endpoints get the cookie; all others need an access token. */
const PATH = '/api/v1/auth/browser-session';

/** The refresh token in the browser's cookie; undefined for anything that is not one of ours. */
function readSessionCookie(headers: IncomingHttpHeaders): string | undefined {
  const token = readCookie(headers, NAME);
  return token !== undefined && /^rt_[\w-]{43}$/.test(token) ? token : undefined;
}

export function sessionCookie(ctx: Pick<Context, 'config'>, refreshToken: string): Record<string, string> {
  const maxAgeSeconds = Math.floor(ctx.config.tokens.refreshTtlMs / 1000);
  return { 'Set-Cookie': writeCookie(ctx, NAME, refreshToken, { path: PATH, maxAgeSeconds, sameSite: 'Strict' }) };
}

/** Makes the browser delete the cookie. */
function noSessionCookie(ctx: Pick<Context, 'config'>): Record<string, string> {
  return { 'Set-Cookie': writeCookie(ctx, NAME, '', { path: PATH, maxAgeSeconds: 0, sameSite: 'Strict' }) };
}
