import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorShape } from '../exchange/route.js';

/** Names of the request id that the vendors' client libraries look for, on top of our own. */
export const VENDOR_REQUEST_ID_HEADERS = ['x-request-id', 'request-id'] as const;

/** Whether a path from the host's root belongs to the endpoints for the vendors' client libraries. */
export function isCompatiblePath(path: string): boolean {
  return path.startsWith('/v1/');
}

/** Anthropic's client library says so with every request; the paths of both vendors overlap. */
export function isAnthropicClient(headers: IncomingHttpHeaders): boolean {
  return headers['anthropic-version'] !== undefined;
}

/** How a request to the compatible endpoints that belongs to no route is answered. */
export function vendorErrorShapeOf(path: string, headers: IncomingHttpHeaders): ErrorShape {
  return path.startsWith('/v1/messages') ? 'anthropic' : vendorErrorShape(headers);
}

/** How errors of an endpoint that both vendors' libraries ask are written. */
export function vendorErrorShape(headers: IncomingHttpHeaders): ErrorShape {
  return isAnthropicClient(headers) ? 'anthropic' : 'openai';
}
