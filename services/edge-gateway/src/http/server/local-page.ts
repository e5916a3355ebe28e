import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@tollgate/errors';

/** Endpoints of a development system that give secrets without a credential: no page of another origin may use them. */
const LOCAL_PATHS = /^(?:https?:\/\/[^/]*)?\/(?:api\/v1\/auth\/dev-login|mailbox)\/?(?:[?#]|$)/;

export function isLocalPath(url = ''): boolean {
  return LOCAL_PATHS.test(url);
}

/**
 * Rejects what a web page elsewhere can send to a development system: by a name that was made to lead here (DNS rebinding),
 * or from another origin, another port included. Programs send neither `Origin` nor `Sec-Fetch-Site`.
 *
 * @throws AppError FORBIDDEN
 */
export function requireLocalPage({ host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  const own = toLoopbackOrigin(host);
  if (own === undefined)
    throw new AppError('FORBIDDEN', 'this endpoint answers at localhost or a loopback address only');
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none';
  if (!isSameSite || (origin !== undefined && origin !== own))
    throw new AppError('FORBIDDEN', 'this endpoint answers to pages of its own origin only');
}

/** Returns the origin of pages at this host; undefined unless the host is `localhost` or a loopback address. */
function toLoopbackOrigin(host: string): string | undefined {
  // Without the characters that would make the rest of a URL.
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  const { hostname, origin } = new URL(`http://${host}`);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return isLoopback ? origin : undefined;
}
