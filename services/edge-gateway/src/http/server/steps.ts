import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context } from '../../context.js';
import { VENDOR_REQUEST_ID_HEADERS } from '../paths.js';
import { isLocalPath } from './local-page.js';

/** Express's form of a step. Steps in front of Express get what it would wrap. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** Returns a listener that takes the steps in order: each one answers or calls `next`. */
export function inOrder(...steps: readonly Middleware[]): RequestListener {
  const end: RequestListener = () => undefined;
  return steps.reduceRight<RequestListener>((next, step) => (req, res) => step(req, res, () => next(req, res)), end);
}

const ROOT = '/v1beta/';
const MODELS = '/v1beta/models/';

type Asked = { method?: string | undefined; url?: string | undefined; headers: IncomingHttpHeaders };

/** A method of a model whose id has a slash, without `models/`: `/v1beta/sandbox/echo-1:generateContent`. */
const BARE_MODEL = /^\/v1(?:beta)?\/(?!models\/)([^/?]+\/[^?]*:[a-zA-Z]+\/?(?:\?.*)?)$/;

/** Gives requests in Google's dialect the URLs of its routes. */
export const rewriteGooglePath: Middleware = (req, _res, next) => {
  req.url = toGoogleUrl(req);
  next();
};

/**
 * Returns the URL of a request as the routes of Google's dialect have it; other URLs unchanged. The vendor's library does not encode
 * the slash of a model's id: it sends `/v1beta/models/sandbox/echo-1:generateContent`. Other libraries take an id with a slash for a
 * whole resource name and leave out `models/`. Since version 3 the vendor's library calls the same paths under `/v1`, where other
 * vendors' libraries only read models.
 */
export function toGoogleUrl({ method, url = '', headers }: Asked): string {
  const bare = method === 'POST' ? BARE_MODEL.exec(url)?.[1] : undefined;
  const named = bare === undefined ? url : `${MODELS}${bare}`;
  const found = isVersionOne(method, named, headers) ? `${ROOT}${named.slice('/v1/'.length)}` : named;
  if (!found.startsWith(MODELS)) return found;
  const queryStart = found.indexOf('?');
  const path = queryStart === -1 ? found : found.slice(0, queryStart);
  const model = path.slice(MODELS.length).replace(/\/$/, '').replaceAll('/', '%2F');
  return `${MODELS}${model}${found.slice(path.length)}`;
}

function isVersionOne(method: string | undefined, url: string, headers: IncomingHttpHeaders): boolean {
  if (!/^\/v1\/models(?![^/?])/.test(url)) return false;
  const isGoogleClient = headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined;
  return isGoogleClient || (method === 'POST' && /^\/v1\/models\/[^?]+:/.test(url));
}

/**
 * Answers `/healthz` (the process runs) and `/readyz` (it should get requests), without limits, identity and logs. Anyone may
 * ask, so no dependency is named: the health port does that.
 */
export function probes(ctx: Pick<Context, 'health'>): Middleware {
  return (req, res, next) => {
    if (req.url === '/healthz') answer(res, 200, { status: 'ok' });
    else if (req.url === '/readyz') {
      const { status } = ctx.health.report;
      answer(res, status === 'unavailable' ? 503 : 200, { status });
    } else next();
  };
}

function answer(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(JSON.stringify(body));
}

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
