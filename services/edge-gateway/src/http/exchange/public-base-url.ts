import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';

/** Returns the URL at which browsers reach this service. In development it defaults to the host of the request. */
export function publicBaseUrl({ config }: Pick<Context, 'config'>, headers: IncomingHttpHeaders): string {
  if (config.publicBaseUrl !== undefined) return config.publicBaseUrl;
  if (config.devMode && headers.host !== undefined) return `http://${headers.host}`;
  throw new AppError('SERVICE_UNAVAILABLE', 'this needs PUBLIC_BASE_URL to be configured');
}
