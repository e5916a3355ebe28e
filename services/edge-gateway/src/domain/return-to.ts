import { parseUrl } from '@tollgate/runtime/parse-url';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether signed-in users may be redirected there: a loopback port (RFC 8252) or an allowed origin. */
export function isAllowedReturn(returnTo: string, allowedOrigins: readonly string[]): boolean {
  const url = parseUrl(returnTo);
  if (!url) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'http:' && loopback.has(url.hostname)) return true;
  return (url.protocol === 'https:' || url.protocol === 'http:') && allowedOrigins.includes(url.origin);
}

/**
 * Returns the path if it is a page of this server's console, in the form that browsers resolve it to. The session of such
 * a sign-in goes into a cookie, and the address contains no token.
 */
export function toConsolePath(returnTo: string): string | undefined {
  if (!returnTo.startsWith('/')) return undefined;
  const base = 'http://console.invalid';
  const url = parseUrl(`${base}${returnTo}`);
  if (url?.origin !== base || !/^\/console(\/|$)/.test(url.pathname)) return undefined;
  return `${url.pathname}${url.search}`;
}

/** Adds values to the URL's fragment, which browsers do not send to servers. */
export function withFragment(returnTo: string, values: Record<string, string | undefined>): string {
  const url = new URL(returnTo);
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  url.hash = new URLSearchParams(given).toString();
  return url.href;
}
