import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/errors';
import express from 'express';
import type { Context } from '../../context.js';
import { NO_SNIFF } from '../answer/no-sniff.js';
import { renderError } from '../answer/render-error.js';
import { isCompatiblePath, VENDOR_REQUEST_ID_HEADERS, vendorErrorShapeOf } from '../answer/vendor.js';
import { writeAnswer } from '../answer/write-answer.js';
import { clientAddress } from '../exchange/client-address.js';
import { checkAnonymousRateLimit } from '../exchange/rate-limit.js';
import { REQUEST_ID_HEADER, requestIdsOf } from '../exchange/request-id.js';
import type { ErrorShape, Route } from '../exchange/route.js';
import { enforce, serveRoute } from '../exchange/serve-route.js';
import { openApiRoute } from '../openapi/openapi-route.js';
import { bySpecificity, hostPath } from '../openapi/route-order.js';
import { hotRouteDocs, hotRoutes } from '../turns/index.js';
import { allowOrigins, answerPreflight, isPreflight } from './cors.js';
import { healthRoutes } from './health.js';

/** The whole front door as one listener: probes, hot routes, then Express. */
export function createApp(ctx: Context, routes: readonly Route[]): RequestListener {
  const health = healthRoutes(ctx);
  const hot = hotRoutes(ctx);
  const app = expressApp(ctx, [...routes, openApiRoute(routes, hotRouteDocs)]);
  return (req, res) => {
    if (health(req, res)) return;
    if (ctx.lifecycle.isDraining) res.shouldKeepAlive = false;
    if (isPreflight(req)) return answerPreflight(res);
    allowOrigins(req, res);
    if (hot(req, res)) return;
    res.setHeader(...NO_SNIFF);
    app(req, res);
  };
}

function expressApp(ctx: Context, routes: readonly Route[]): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(hostPath(route.path), [...(paths.get(hostPath(route.path)) ?? []), route]);
  const methodsOf = new Map([...paths].map(([path, group]) => [path, group.map((route) => route.method)]));
  for (const { method, path } of hotRouteDocs) {
    methodsOf.set(hostPath(path), [...(methodsOf.get(hostPath(path)) ?? []), method]);
  }
  for (const path of [...methodsOf.keys()].sort(bySpecificity)) {
    const at = app.route(path);
    for (const route of paths.get(path) ?? []) {
      at[methodNames[route.method]]((req, res) => {
        void serveRoute(route, ctx, req, res, { params: req.params, query: req.query, path: req.path });
      });
    }
    at.all((req, res) => void refuse(ctx, req, res, methodNotAllowed(methodsOf.get(path)!)));
  }
  app.use((req, res) => void refuse(ctx, req, res, { error: new AppError('NOT_FOUND', 'no such endpoint') }));
  // Express itself fails only before a route runs, for example on a path that cannot be decoded.
  app.use((_error: Error, req: express.Request, res: express.Response, _next: express.NextFunction) => {
    void refuse(ctx, req, res, { error: new AppError('INVALID_INPUT', 'malformed request path') });
  });
  return app;
}

const methodNames = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

interface Refusal {
  error: AppError;
  headers?: Record<string, string>;
}

function methodNotAllowed(methods: readonly string[]): Refusal {
  const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort();
  const error = new AppError('METHOD_NOT_ALLOWED', `this endpoint allows ${allowed.join(', ')}`);
  return { error, headers: { Allow: allowed.join(', ') } };
}

/** Under these every error is a plain text. */
const simplePaths = /^\/api\/v1\/projects\/[^/?]+\/(webhooks|tool-hooks)(?![^/?])/;

/** As the routes around it would have written the error. */
function errorShapeAt(path: string, headers: IncomingHttpHeaders): ErrorShape {
  if (isCompatiblePath(path)) return vendorErrorShapeOf(path, headers);
  return simplePaths.test(path) ? 'simple' : 'native';
}

/** An answer to a request that belongs to no route. */
async function refuse(ctx: Context, req: IncomingMessage, res: ServerResponse, refusal: Refusal): Promise<void> {
  const requestId = requestIdsOf(req.headers).requestId;
  res.setHeader(REQUEST_ID_HEADER, requestId);
  const path = req.url ?? '';
  if (isCompatiblePath(path)) for (const name of VENDOR_REQUEST_ID_HEADERS) res.setHeader(name, requestId);
  const shape = errorShapeAt(path, req.headers);
  let rendered = renderError(refusal.error, shape, requestId);
  try {
    enforce(res, await checkAnonymousRateLimit(clientAddress(req, ctx.config.http.trustProxyHops), ctx));
  } catch (error) {
    rendered = renderError(error, shape, requestId);
  }
  if (!req.complete) req.resume();
  writeAnswer(res, {
    status: rendered.status,
    headers: { ...rendered.headers, ...refusal.headers },
    body: Buffer.from(rendered.body),
  });
}
