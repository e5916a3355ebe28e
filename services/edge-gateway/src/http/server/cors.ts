import type { IncomingMessage, ServerResponse } from 'node:http';
import { VENDOR_REQUEST_ID_HEADERS } from '../answer/vendor.js';
import { isLocalPath } from './local-page.js';
import type { Middleware } from './middleware.js';

const EXPOSED = [
  'X-Service-Request-Id',
  ...VENDOR_REQUEST_ID_HEADERS,
  'X-Should-Retry',
  'X-Service-Upstream-Status',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'X-Service-Dropped-Parameters',
  'Mcp-Session-Id',
  'WWW-Authenticate',
].join(', ');
const ACCEPTED = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-Service-Api-Key',
  'X-Service-Customer-Id',
  'X-Service-Request-Id',
  'X-Service-Cache',
  'traceparent',
  // The vendors' client libraries send a dozen headers of their own. A wildcard covers all but `Authorization`.
  '*',
].join(', ');

/**
 * Lets any origin call with a publishable key or a customer token. This is safe because nothing that a browser sends on its
 * own authenticates a request: CORS credentials are not allowed, and the endpoints that read the cookie of a session
 * reject pages of another origin. Endpoints that need no credential in development answer to pages of their own origin only.
 */
export const cors: Middleware = (req, res, next) => {
  const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
  if (isPreflight) return answerPreflight(req, res);
  if (req.headers.origin !== undefined && !isLocalPath(req.url)) {
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
  }
  next();
};

function answerPreflight(req: IncomingMessage, res: ServerResponse): void {
  if (isLocalPath(req.url)) return void res.writeHead(403).end();
  res.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers': ACCEPTED,
    'Access-Control-Max-Age': '86400',
  });
  res.end();
}
