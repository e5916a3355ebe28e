import { authResponseSchema, oauthCallbackQuery } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import type { OAuthIdentity } from '../../../auth/oauth-providers.js';
import type { Context } from '../../../context.js';
import { isStateOfBrowser, readStatePlace } from '../../../domain/oauth-state.js';
import { toConsolePath, withFragment } from '../../../domain/return-to.js';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import {
  type RegisteredOwner,
  registerOwner,
  registerOwnerInBrowser,
} from '../../../operations/sign-in/register-owner.js';
import { resolveIdentityCustomer } from '../../../operations/sign-in/resolve-identity-customer.js';
import { type NewOwner, signInWithIdentity } from '../../../operations/sign-in/sign-in-with-identity.js';
import { hashState } from '../../../operations/sign-in/start-oauth.js';
import { decideDevice, findDeviceProject } from '../../../store/device-sign-ins.js';
import { type OAuthSignInRow, takeOAuthSignIn } from '../../../store/oauth-sign-ins.js';
import { prefersHtml } from '../../answer/accept.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute, type JsonResult } from '../../exchange/route.js';
import { apiKeyJson } from '../api-keys/api-keys.js';
import { projectJson } from '../projects/projects.js';
import { sessionCookie } from './browser-session.js';
import { readBrowserId } from './cookies.js';
import { devicePage } from './devices.js';
import { type CallbackInput, OAUTH_CALLBACK_PATH, startOwnerSession } from './oauth.js';
import { authResponseJson } from './sessions.js';

/** The provider's redirect target: receives a code or an error. */
export const oauthCallback = defineRoute({
  method: 'GET',
  path: '/auth/oauth/callback',
  tag: 'Authentication',
  summary: 'Complete a sign-in with GitHub or Google; called by browsers only',
  operationId: 'completeOAuth',
  description:
    'The provider redirects the browser to this address with a code or an error. Answers with the session’s tokens, or redirects to the address that the sign-in was started with. A sign-in to the console gets no tokens but a cookie that scripts cannot read; if it is unknown or has expired, its sign-in page says so. An account that an app with `return_to` creates has no key yet.',
  auth: 'none',
  query: oauthCallbackQuery,
  ignoresUnknownQuery: true,
  success: { status: 200, schema: authResponseSchema },
  alsoAnswers: [{ status: 200, contentType: 'text/html' }, { status: 303 }, { status: 400, contentType: 'text/html' }],
  refusals: [401, 403],
  handler: async (input, ctx) => {
    const { query, address, headers } = input;
    await enforceSignInLimit('oauth', address, undefined, ctx);
    const browserId = readBrowserId(headers);
    if (browserId === undefined || !isStateOfBrowser(query.state, browserId)) {
      return unknownAnswer('other_browser', input);
    }
    const signIn = await takeOAuthSignIn(ctx.pool, hashState(query.state));
    if (!signIn) return unknownAnswer('expired', input);
    const identity = await identify(ctx, signIn, input);
    if (signIn.device_code_hash) return deviceAnswer(ctx, signIn.device_code_hash, identity, input);
    const consolePath = signIn.return_to === null ? undefined : toConsolePath(signIn.return_to);
    if (consolePath !== undefined) return consoleAnswer(ctx, consolePath, identity, input);
    if (identity === undefined) return refusal(signIn, 'access_denied', 'the sign-in was declined');
    return ownerAnswer(ctx, signIn, identity, input);
  },
});

/** Returns undefined when the person or the provider declined. */
async function identify(
  ctx: Pick<Context, 'config' | 'logger' | 'oauth'>,
  signIn: OAuthSignInRow,
  input: CallbackInput,
): Promise<OAuthIdentity | undefined> {
  const { query, headers, call } = input;
  if (query.code === undefined) return undefined;
  const callback = new URL(`${publicBaseUrl(ctx, headers)}${OAUTH_CALLBACK_PATH}`);
  callback.search = new URLSearchParams({ code: query.code, state: query.state }).toString();
  const checks = { state: query.state, codeVerifier: signIn.code_verifier, nonce: signIn.nonce };
  try {
    return await ctx.oauth.identify(signIn.provider, callback, checks);
  } catch (err) {
    ctx.logger.warn({ err, provider: signIn.provider, request_id: call.requestId }, 'OAuth identity lookup failed');
    return undefined;
  }
}

async function ownerAnswer(
  ctx: Pick<Context, 'clock' | 'config' | 'directory' | 'logger' | 'pool' | 'tokens'>,
  signIn: OAuthSignInRow,
  identity: OAuthIdentity,
  input: CallbackInput,
): Promise<JsonResult> {
  // In an address there is no place for the secret of a first key.
  const register = signIn.return_to === null ? registerOwner : registerOwnerInBrowser;
  const outcome = await signInWithIdentity<NewOwner & Partial<Pick<RegisteredOwner, 'issued'>>>(
    ctx,
    identity,
    register,
  );
  if (outcome.kind === 'no_email') return refusal(signIn, 'access_denied', 'the provider has no verified email');
  if (outcome.kind === 'email_taken') {
    return refusal(
      signIn,
      'account_exists',
      'an account with this email already exists; sign in with the method that created it',
    );
  }
  const { user, projectId, tokens } = await startOwnerSession(ctx, outcome, input);
  if (signIn.return_to !== null) {
    return redirectApp(signIn, {
      access_token: tokens.accessToken,
      token_type: 'Bearer',
      expires_at: tokens.expiresAt.toISOString(),
      refresh_token: tokens.refreshToken,
    });
  }
  const body = authResponseJson(tokens, user, projectId);
  if (outcome.kind === 'known') return { body };
  const { project, issued } = outcome.owner;
  if (!issued) return { body };
  const issuedKey = apiKeyJson(issued.key, ctx.config.keyPrefix, { secret: issued.secret });
  return { body: { ...body, signup_project: { project: projectJson(project), issued_key: issuedKey } } };
}

async function deviceAnswer(
  ctx: Pick<Context, 'clients' | 'directory' | 'pool'>,
  deviceCodeHash: Buffer,
  identity: OAuthIdentity | undefined,
  { call }: CallbackInput,
): Promise<JsonResult> {
  const projectId = await findDeviceProject(ctx.pool, deviceCodeHash);
  if (projectId === undefined) return devicePage({ message: 'This code has expired. Start again on your device.' });
  const customerId = identity && (await resolveIdentityCustomer(ctx, projectId, identity, call));
  if (customerId === undefined) {
    await decideDevice(ctx.pool, deviceCodeHash, { status: 'denied' });
    return devicePage({ message: 'You were not signed in. Start again on your device.' });
  }
  await decideDevice(ctx.pool, deviceCodeHash, { status: 'approved', customerId });
  return devicePage({ message: 'You are signed in. You can close this page and return to your device.' });
}

/** Redirects to the app that started the sign-in, or responds when there is none. */
function refusal(signIn: OAuthSignInRow, error: string, description: string): JsonResult {
  if (signIn.return_to === null) throw new AppError('FORBIDDEN', description);
  return redirectApp(signIn, { error, error_description: description });
}

function redirectApp(signIn: OAuthSignInRow, values: Record<string, string>): JsonResult {
  const location = withFragment(signIn.return_to!, { ...values, handoff_nonce: signIn.handoff_nonce ?? undefined });
  return { status: 303, headers: { Location: location, 'Referrer-Policy': 'no-referrer' } };
}

/**
 * Redirects to the page of the console that asked for the sign-in. The session is in a cookie that scripts cannot read:
 * the address contains no token, and a new account gets no secret key.
 */
async function consoleAnswer(
  ctx: Pick<Context, 'clock' | 'config' | 'directory' | 'logger' | 'pool' | 'tokens'>,
  path: string,
  identity: OAuthIdentity | undefined,
  input: CallbackInput,
): Promise<JsonResult> {
  if (identity === undefined) return leadToSignIn(path, 'declined');
  const outcome = await signInWithIdentity(ctx, identity, registerOwnerInBrowser);
  if (outcome.kind === 'no_email' || outcome.kind === 'email_taken') return leadToSignIn(path, outcome.kind);
  const { tokens } = await startOwnerSession(ctx, outcome, input);
  return redirectTo(path, sessionCookie(ctx, tokens.refreshToken));
}

/** The page says what the reason means: text of the address is not shown. */
function leadToSignIn(
  path: string | undefined,
  reason: 'declined' | 'no_email' | 'email_taken' | 'other_browser' | 'expired',
): JsonResult {
  const query = new URLSearchParams({ failed: reason });
  if (path !== undefined) query.set('to', path.slice('/console'.length) || '/');
  return redirectTo(`/console/sign-in?${query}`);
}

function redirectTo(path: string, headers: Record<string, string> = {}): JsonResult {
  return { status: 303, headers: { Location: path, 'Referrer-Policy': 'no-referrer', ...headers } };
}

const REASONS = {
  other_browser: 'this sign-in was not started in this browser; start again',
  expired: 'this sign-in is unknown, was used before, or has expired',
} as const;

/** Answers a callback whose sign-in is not known: on the page where the person waits for it, or with an error for programs. */
function unknownAnswer(
  reason: keyof typeof REASONS,
  { query, headers }: Pick<CallbackInput, 'query' | 'headers'>,
): JsonResult {
  const place = readStatePlace(query.state);
  if (place === 'device') {
    return { ...devicePage({ message: 'This sign-in has expired. Start again on your device.' }), status: 400 };
  }
  const isForPerson = place === 'console' || prefersHtml(headers.accept);
  if (isForPerson) return leadToSignIn(undefined, reason);
  throw new AppError('VALIDATION_ERROR', REASONS[reason]);
}
