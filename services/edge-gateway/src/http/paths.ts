import type { IncomingHttpHeaders } from 'node:http';

const BASE = '/api/v1';
/** Routes that are not under the base. */
const AT_ROOT = /^\/($|v1\/|v1beta\/|\.well-known\/|status$|mailbox$|docs(\/|$))/;

/** Returns a route's path from the host's root: under /api/v1 unless the route names a root of its own. */
export function hostPath(path: string): string {
  return AT_ROOT.test(path) ? path : `${BASE}${path}`;
}

/**
 * Sorts literal segments before parameters, so that `/customers/me` never matches as a customer's id. Parameters with a literal end
 * come in between.
 */
export function bySpecificity(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = compareSegments(left[i]!, right[i]!);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Orders unrelated literals too: a sort needs a transitive order. */
function compareSegments(a: string, b: string): number {
  const difference = rank(a) - rank(b);
  if (difference !== 0 || isParameter(a) || a === b) return difference;
  return a < b ? -1 : 1;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':') || segment.startsWith('*');
}

/** 0 for a literal, 1 for a parameter with a literal end, 2 for any other parameter. */
function rank(segment: string): number {
  if (!isParameter(segment)) return 0;
  return withMethod.test(segment) ? 1 : 2;
}

/** A parameter and a method in one segment, such as `:model:countTokens`. */
const withMethod = /:(\w+)\\?:(\w+)/;

/** Returns the path in the form of OpenAPI: `/things/{id}`. */
export function templatePath(path: string): string {
  return hostPath(path)
    .replace(withMethod, '{$1}:$2')
    .replace(/\/:(\w+)/g, '/{$1}');
}

/** Returns the path in the form of Express, which takes every unescaped colon for a parameter. */
export function expressPath(path: string): string {
  return hostPath(path).replace(withMethod, ':$1\\:$2');
}

/** The form of a route's error bodies. Chosen per route, or per client where two vendors' libraries call it. */
export type ErrorShape = 'native' | 'simple' | 'images' | 'openai' | 'anthropic' | 'google';

/** Request-id headers that the vendors' client libraries read, in addition to X-Service-Request-Id. */
export const VENDOR_REQUEST_ID_HEADERS = ['x-request-id', 'request-id'] as const;

/** Whether a path from the host's root belongs to the endpoints that the vendors' client libraries call. */
export function isCompatiblePath(path: string): boolean {
  return path.startsWith('/v1/') || isGooglePath(path);
}

/** Whether a path belongs to the endpoints in Google's dialect. No other vendor's library calls them. */
function isGooglePath(path: string): boolean {
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
