import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../../context.js';

interface CookieOptions {
  path: string;
  maxAgeSeconds: number;
  sameSite: 'Lax' | 'Strict';
}

/** Returns the value of the first cookie with the name. */
export function readCookie(headers: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([each]) => each === name)?.[1];
}

/** Returns a `Set-Cookie` header for a cookie that scripts cannot read; with https, only https carries it. */
export function writeCookie(
  { config }: Pick<Context, 'config'>,
  name: string,
  value: string,
  { path, maxAgeSeconds, sameSite }: CookieOptions,
): string {
  const secure = config.publicBaseUrl?.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}

const NAME = 'tollgate_browser';
const PATH = '/api/v1/auth';
const MAX_AGE_SECONDS = 180 * 86_400;

/** Identifies a known browser by a random id in a cookie. The id authenticates no user. */
interface Browser {
  id: string;
  /** The `Set-Cookie` header that makes the browser keep its id. */
  cookie: string;
}

/** The id that the browser sent; undefined for anything that is not one of ours. */
export function readBrowserId(headers: IncomingHttpHeaders): string | undefined {
  const id = readCookie(headers, NAME);
  return id !== undefined && /^[\w-]{43}$/.test(id) ? id : undefined;
}

/** The browser that asks, under its own id or a new one. */
export function readBrowser(ctx: Pick<Context, 'config'>, headers: IncomingHttpHeaders): Browser {
  const id = readBrowserId(headers) ?? randomBytes(32).toString('base64url');
  // Lax: a provider leads the browser back to the callback from its own site.
  const options = { path: PATH, maxAgeSeconds: MAX_AGE_SECONDS, sameSite: 'Lax' } as const;
  return { id, cookie: writeCookie(ctx, NAME, id, options) };
}
