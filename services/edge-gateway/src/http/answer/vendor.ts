import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorShape } from '../answer/error-shape.js';

/** Request-id headers that the vendors' client libraries read, in addition to X-Service-Request-Id. */
export const VENDOR_REQUEST_ID_HEADERS = ['x-request-id', 'request-id'] as const;

/** Whether a path from the host's root belongs to the endpoints that the vendors' client libraries call. */
export function isCompatiblePath(path: string): boolean {
  return path.startsWith('/v1/') || isGooglePath(path);
}

/** Whether a path belongs to the endpoints in Google's dialect. No other vendor's library calls them. */
export function isGooglePath(path: string): boolean {
  return path.startsWith('/v1beta/');
}

/** Anthropic's client library sends this header with every request. The paths of both vendors overlap. */
export function isAnthropicClient(headers: IncomingHttpHeaders): boolean {
  return headers['anthropic-version'] !== undefined;
}

/** Returns the error shape for a request to a compatible path that belongs to no route. */
export function unroutedErrorShape(path: string, headers: IncomingHttpHeaders): ErrorShape {
  if (isGooglePath(path)) return 'google';
  return path.startsWith('/v1/messages') ? 'anthropic' : vendorErrorShape(headers);
}

/** Returns the error shape of an endpoint that both vendors' libraries call. */
export function vendorErrorShape(headers: IncomingHttpHeaders): ErrorShape {
  return isAnthropicClient(headers) ? 'anthropic' : 'openai';
}
