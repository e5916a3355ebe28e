import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../../context.js';

export interface CookieOptions {
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
