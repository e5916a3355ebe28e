import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../../../context.js';
import { readCookie, writeCookie } from '../cookies.js';

const NAME = 'tollgate_session';
/** Only these endpoints get the cookie; all others need an access token. */
const PATH = '/api/v1/auth/browser-session';

/** The refresh token in the browser's cookie; undefined for anything that is not one of ours. */
export function readSessionCookie(headers: IncomingHttpHeaders): string | undefined {
  const token = readCookie(headers, NAME);
  return token !== undefined && /^rt_[\w-]{43}$/.test(token) ? token : undefined;
}

export function sessionCookie(ctx: Pick<Context, 'config'>, refreshToken: string): Record<string, string> {
  const maxAgeSeconds = Math.floor(ctx.config.tokens.refreshTtlMs / 1000);
  return { 'Set-Cookie': writeCookie(ctx, NAME, refreshToken, { path: PATH, maxAgeSeconds, sameSite: 'Strict' }) };
}

/** Makes the browser delete the cookie. */
export function noSessionCookie(ctx: Pick<Context, 'config'>): Record<string, string> {
  return { 'Set-Cookie': writeCookie(ctx, NAME, '', { path: PATH, maxAgeSeconds: 0, sameSite: 'Strict' }) };
}
