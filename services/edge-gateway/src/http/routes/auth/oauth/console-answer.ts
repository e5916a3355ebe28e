import type { OAuthIdentity } from '../../../../auth/oauth-providers.js';
import type { Context } from '../../../../context.js';
import { registerOwnerInBrowser } from '../../../../operations/sign-in/register-owner.js';
import { signInWithIdentity } from '../../../../operations/sign-in/sign-in-with-identity.js';
import type { JsonResult } from '../../../exchange/route.js';
import { sessionCookie } from '../browser-session/session-cookie.js';
import type { CallbackInput } from './oauth-parts.js';
import { startOwnerSession } from './start-owner-session.js';

/**
 * Redirects to the page of the console that asked for the sign-in. The session is in a cookie that scripts cannot read:
 * the address contains no token, and a new account gets no secret key.
 */
export async function consoleAnswer(
  ctx: Pick<Context, 'clock' | 'config' | 'directory' | 'logger' | 'pool' | 'tokens'>,
  path: string,
  identity: OAuthIdentity | undefined,
  input: CallbackInput,
): Promise<JsonResult> {
  if (identity === undefined) return leadToSignIn(path, 'declined');
  const outcome = await signInWithIdentity(ctx, identity, registerOwnerInBrowser);
  if (outcome.kind === 'no_email' || outcome.kind === 'email_taken') return leadToSignIn(path, outcome.kind);
  const { tokens } = await startOwnerSession(ctx, outcome, input);
  return redirect(path, sessionCookie(ctx, tokens.refreshToken));
}

/** The page says what the reason means: text of the address is not shown. */
export function leadToSignIn(
  path: string | undefined,
  reason: 'declined' | 'no_email' | 'email_taken' | 'other_browser' | 'expired',
): JsonResult {
  const query = new URLSearchParams({ failed: reason });
  if (path !== undefined) query.set('to', path.slice('/console'.length) || '/');
  return redirect(`/console/sign-in?${query}`);
}

function redirect(path: string, headers: Record<string, string> = {}): JsonResult {
  return { status: 303, headers: { Location: path, 'Referrer-Policy': 'no-referrer', ...headers } };
}
