import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@tollgate/errors';
import { parseUrl } from '@tollgate/runtime/parse-url';
import type { Context } from '../../../../context.js';

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
