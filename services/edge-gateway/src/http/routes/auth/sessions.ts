import {
  type AuthResponse,
  type AuthTokens,
  authResponseSchema,
  authTokensSchema,
  type BrowserSession,
  loginBody,
  meResponse,
  refreshBody,
  registerBody,
  type SignInRecord,
  signInListQuery,
  signInListResponse,
  type UserRecord,
} from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';
import { emailKey } from '../../../domain/email.js';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { enforceSignInLimit, refuseSecret } from '../../../limits/rate-limit.js';
import { recordAudit, signedIn } from '../../../operations/record-audit.js';
import { logIn } from '../../../operations/sign-in/log-in.js';
import { registerOwner } from '../../../operations/sign-in/register-owner.js';
import { readSignInSource, rememberSignInSource } from '../../../operations/sign-in/sign-in-source.js';
import { welcomeOwner } from '../../../operations/sign-in/welcome-owner.js';
import { logOut } from '../../../operations/tokens/log-out.js';
import { refreshSession } from '../../../operations/tokens/refresh-session.js';
import { revokeSignIn } from '../../../operations/tokens/revoke.js';
import { type SessionTokens, startSession } from '../../../operations/tokens/start-session.js';
import { type ListSignInsRow, listSignIns } from '../../../store/gen/sessions.js';
import { findUser, findUserByEmailKey, type User } from '../../../store/users.js';
import { defineRoute } from '../../exchange/route.js';
import { requireLocalPage } from '../../server/local-page.js';
import { apiKeyJson } from '../api-keys/api-keys.js';
import { projectJson } from '../projects/projects.js';
import { requirePlace } from '../require-place.js';
import { readBrowser } from './cookies.js';

export const register = defineRoute({
  method: 'POST',
  path: '/auth/register',
  tag: 'Authentication',
  summary: 'Create an account with a first project and its first secret key',
  operationId: 'register',
  description:
    'The answer has the session’s tokens and, only this once, the value of the first secret key. Attempts are limited per email and per address.',
  auth: 'none',
  body: registerBody,
  success: { status: 201, schema: authResponseSchema },
  refusals: [409],
  handler: async ({ body, address, headers, call: { requestId } }, ctx) => {
    await enforceSignInLimit('register', address, emailKey(body.email), ctx);
    const { email, password, billing_provider: billingProvider } = body;
    const { user, project, issued } = await registerOwner(ctx, { email, password, billingProvider });
    const browser = readBrowser(ctx, headers);
    await welcomeOwner(ctx, user, { address, browserId: browser.id }, requestId);
    const answer: AuthResponse = {
      ...authResponseJson(await startSession(ctx, user.id, project.id), user, project.id),
      signup_project: {
        project: projectJson(project),
        issued_key: apiKeyJson(issued.key, ctx.config.keyPrefix, { secret: issued.secret }),
      },
    };
    return { body: answer, headers: { 'Set-Cookie': browser.cookie } };
  },
});

export const login = defineRoute({
  method: 'POST',
  path: '/auth/login',
  tag: 'Authentication',
  summary: 'Sign in with email and password',
  operationId: 'login',
  description:
    'The answer has an access token and a refresh token. After ten wrong passwords in a row the source has to wait, longer each time.',
  auth: 'none',
  body: loginBody,
  success: { status: 200, schema: authResponseSchema },
  refusals: [401],
  handler: async ({ body, address, headers, call: { requestId } }, ctx) => {
    const browser = readBrowser(ctx, headers);
    const asker = { address, browserId: browser.id };
    const source = await readSignInSource(ctx, body.email, asker);
    const key = emailKey(body.email);
    // Attempts from unknown sources do not count against the limit of a known one.
    await enforceSignInLimit('login', address, source.isKnown ? `${key} ${source.name}` : key, ctx);
    const user = await logIn(ctx, { ...body, address, requestId }, source);
    const owner = user && (await ctx.directory.owner(user.id));
    if (!user || !owner) throw new AppError('UNAUTHORIZED', 'wrong email or password');
    const { projectId } = owner.project;
    const tokens = await startSession(ctx, user.id, projectId, user.passwordHash);
    await rememberSignInSource(ctx, body.email, asker, source);
    await recordAudit(ctx, signedIn(user, address, requestId));
    return { body: authResponseJson(tokens, user, projectId), headers: { 'Set-Cookie': browser.cookie } };
  },
});

export const devLogin = defineRoute({
  method: 'POST',
  path: '/auth/dev-login',
  tag: 'Authentication',
  summary: 'Sign in as the demo owner; only with DEV_MODE=1',
  operationId: 'devLogin',
  description:
    'For local development: it does not exist in other installations. It answers at localhost or a loopback address only, and to no page of another origin.',
  auth: 'none',
  success: { status: 200, schema: authResponseSchema },
  refusals: [403, 404],
  handler: async ({ headers }, ctx) => {
    if (!ctx.config.devMode) throw new AppError('NOT_FOUND', 'no such endpoint');
    requireLocalPage(headers);
    const user = await findUserByEmailKey(ctx.pool, emailKey(ctx.config.devOwnerEmail));
    const owner = user && (await ctx.directory.owner(user.id));
    if (!user || !owner) throw new AppError('NOT_FOUND', 'there is no demo owner');
    const { projectId } = owner.project;
    return { body: authResponseJson(await startSession(ctx, user.id, projectId), user, projectId) };
  },
});

export const refresh = defineRoute({
  method: 'POST',
  path: '/auth/refresh',
  tag: 'Authentication',
  summary: 'Exchange a refresh token for a new pair, once',
  operationId: 'refreshSession',
  description: 'Each refresh token works once. Its second use ends the session, because it may have been stolen.',
  auth: 'none',
  body: refreshBody,
  success: { status: 200, schema: authTokensSchema },
  refusals: [401],
  handler: async ({ body, address, call: { requestId } }, ctx) => {
    const tokens = await refreshSession(ctx, body.refresh_token, { address, requestId });
    if (!tokens) return refuseSecret('refresh', address, 'invalid refresh token', ctx);
    return { body: tokensJson(tokens) };
  },
});

export const logout = defineRoute({
  method: 'POST',
  path: '/auth/logout',
  tag: 'Authentication',
  summary: 'End the session of a refresh token',
  operationId: 'logout',
  description: 'The tokens of the session are refused within five seconds.',
  auth: 'none',
  body: refreshBody,
  success: { status: 204 },
  handler: async ({ body }, ctx) => {
    await logOut(ctx, body.refresh_token);
    return { status: 204 };
  },
});

export const getMe = defineRoute({
  method: 'GET',
  path: '/auth/me',
  tag: 'Authentication',
  summary: 'Get the signed-in user',
  operationId: 'getCurrentUser',
  description: 'Returns the user of the access token.',
  auth: ['owner'],
  success: { status: 200, schema: meResponse },
  handler: async ({ principal }, ctx) => {
    const user = await findUser(ctx.pool, principal.userId);
    if (!user) throw new AppError('UNAUTHORIZED', 'invalid credentials');
    return { body: { user: userJson(user, principal.projectId) } };
  },
});

export const listMySignIns = defineRoute({
  method: 'GET',
  path: '/auth/sign-ins',
  tag: 'Authentication',
  summary: 'List where you are signed in, newest first',
  operationId: 'listMySignIns',
  description:
    'Every session of the user that is in force: browsers, sign-ins with a password, and programs that signed in by a code, which have a name and an address.',
  auth: ['owner'],
  query: signInListQuery,
  success: { status: 200, schema: signInListResponse },
  handler: async ({ query: { limit, cursor }, principal: { userId } }, ctx) => {
    const after = cursor === undefined ? undefined : requirePlace(cursor);
    const place = { afterAt: after?.at ?? null, afterId: after?.id ?? null };
    const found = await listSignIns(ctx.pool, { userId, at: ctx.clock.now(), ...place, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const next = last && found.length > limit ? { next_cursor: toCursor({ at: last.signedInAt, id: last.id }) } : {};
    return { body: { sign_ins: shown.map(signInJson), ...next } };
  },
});

function signInJson({ id, clientName, address, signedInAt, expiresAt }: ListSignInsRow): SignInRecord {
  return {
    id,
    ...(clientName !== null && { client_name: clientName }),
    ...(address !== null && { address }),
    signed_in_at: signedInAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

export const endMySignIn = defineRoute({
  method: 'DELETE',
  path: '/auth/sign-ins/:id',
  tag: 'Authentication',
  summary: 'End one of your sign-ins',
  operationId: 'endMySignIn',
  description: 'Its refresh token is void at once, and its access token is refused on every edge within five seconds.',
  auth: ['owner'],
  params: z.object({ id: z.string() }),
  success: { status: 204 },
  refusals: [404],
  audit: 'session.ended',
  handler: async ({ params, principal: { userId } }, ctx) => {
    const id = params.id.toLowerCase();
    if (!isUuid(id) || !(await revokeSignIn(ctx, id, userId))) throw new AppError('NOT_FOUND', 'sign-in not found');
    return { status: 204 };
  },
});

export function tokensJson(tokens: SessionTokens): AuthTokens {
  return {
    access_token: tokens.accessToken,
    expires_at: tokens.expiresAt.toISOString(),
    refresh_token: tokens.refreshToken,
  };
}

/** Leaves out the refresh token: it is in a cookie. */
export function browserSessionJson(tokens: Omit<SessionTokens, 'refreshToken'>): BrowserSession {
  return { access_token: tokens.accessToken, expires_at: tokens.expiresAt.toISOString() };
}

function userJson(user: User, projectId: string): UserRecord {
  return { id: user.id, email: user.email, project_id: projectId, created_at: user.createdAt.toISOString() };
}

/** Contains the tokens at the top level and under `tokens`. */
export function authResponseJson(tokens: SessionTokens, user: User, projectId: string): AuthResponse {
  return { ...tokensJson(tokens), tokens: tokensJson(tokens), user: userJson(user, projectId) };
}
