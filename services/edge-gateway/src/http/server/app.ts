import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/errors';
import express from 'express';
import type { Context } from '../../context.js';
import { hasClientLeft } from '../answer/client-left.js';
import type { ErrorShape } from '../answer/error-shape.js';
import { isCompatiblePath, unroutedErrorShape } from '../answer/vendor.js';
import { portalFrames } from '../console/portal-frames.js';
import { consoleHandler } from '../console/serve-console.js';
import { type Answered, Exchange, type Matched } from '../exchange/exchange.js';
import type { Route } from '../exchange/route.js';
import type { RouteDoc } from '../exchange/route-doc.js';
import { refuse, serve } from '../exchange/serve.js';
import { openApiRoute } from '../openapi/openapi-route.js';
import { bySpecificity, expressPath } from '../openapi/route-order.js';
import { pageRoutes } from '../pages/index.js';
import { upgradeHandler } from '../realtime/upgrade.js';
import { connectRealtime } from '../routes/realtime/connect-realtime.js';
import { turnHandler, turnRoutes } from '../turns/index.js';
import { allowOrigins, answerPreflight, isPreflight } from './cors.js';
import { findCaller } from './find-caller.js';
import { toGoogleUrl } from './google-path.js';
import { healthRoutes } from './health.js';
import type { UpgradeListener } from './server.js';

/** The public HTTP API as one listener: probes, the console's files, turns, then Express. */
export function createApp(ctx: Context, routes: readonly Route[]): RequestListener {
  const answerProbe = healthRoutes(ctx);
  const serveConsole = consoleHandler(undefined, portalFrames(ctx));
  const serveTurn = turnHandler(ctx);
  const app = expressApp(ctx, [...routes, ...pageRoutes, openApiRoute(routes, turnRoutes)]);
  return (req, res) => {
    req.url = toGoogleUrl(req);
    if (answerProbe(req, res)) return;
    if (ctx.lifecycle.isDraining) res.shouldKeepAlive = false;
    if (serveConsole(req, res)) return;
    if (isPreflight(req)) return answerPreflight(req, res);
    allowOrigins(req, res);
    ctx.sharedLoop.take(findCaller(req), () => {
      if (hasClientLeft(req, res)) return countLeft(ctx, req, res);
      if (!serveTurn(req, res)) app(req, res);
    });
  };
}

/** The sockets of the public API. */
export function createUpgradeListener(ctx: Context): UpgradeListener {
  const { messageBytesMax } = ctx.config.realtime;
  return upgradeHandler(messageBytesMax, (req, res, matched) => new Exchange(connectRealtime, ctx, req, res, matched));
}

/** Counts and logs a request whose client left while it waited for its start; it is not served. */
function countLeft(ctx: Context, req: IncomingMessage, res: ServerResponse): void {
  const exchange = unrouted(ctx, req, res);
  ctx.requestMetrics.followUnrouted(exchange);
  exchange.served();
}

/** Express finds the route of a request; `serve` does the rest. */
function expressApp(ctx: Context, routes: readonly Route[]): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  const routesAt = groupByPath(routes);
  const methodsAt = methodsByPath([...routes, ...turnRoutes]);
  for (const path of [...methodsAt.keys()].sort(bySpecificity)) {
    const at = app.route(path);
    for (const route of routesAt.get(path) ?? []) {
      at[methodNames[route.method]]((req, res) => {
        const { params, query, path: ownPath } = req;
        void serve(new Exchange(route, ctx, req, res, { params, query, path: ownPath }));
      });
    }
    at.all((req, res) => void refuseMethod(ctx, req, res, methodsAt.get(path)!));
  }
  app.use((req, res) => void refuse(unrouted(ctx, req, res), new AppError('NOT_FOUND', 'no such endpoint')));
  // Express itself fails only before a route runs, for example on a path that cannot be decoded.
  app.use((_error: Error, req: express.Request, res: express.Response, _next: express.NextFunction) => {
    void refuse(unrouted(ctx, req, res), new AppError('INVALID_INPUT', 'malformed request path'));
  });
  return app;
}

const methodNames = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

function groupByPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const path = expressPath(route.path);
    groups.set(path, [...(groups.get(path) ?? []), route]);
  }
  return groups;
}

function methodsByPath(routes: readonly RouteDoc[]): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const known = methods.get(expressPath(path)) ?? new Set();
    methods.set(expressPath(path), known.add(method));
    if (method === 'GET') known.add('HEAD');
  }
  return methods;
}

async function refuseMethod(
  ctx: Context,
  req: IncomingMessage,
  res: ServerResponse,
  methods: ReadonlySet<string>,
): Promise<void> {
  const allowed = [...methods].sort().join(', ');
  const error = new AppError('METHOD_NOT_ALLOWED', `this endpoint allows ${allowed}`);
  await refuse(unrouted(ctx, req, res), error, { Allow: allowed });
}

const NO_MATCH: Matched = { params: {}, query: {}, path: '' };

/** A request that belongs to no endpoint. */
function unrouted(ctx: Context, req: IncomingMessage, res: ServerResponse): Exchange<Answered> {
  const path = req.url ?? '';
  const route = { method: 'GET', path, errorShape: errorShapeAt(path, req.headers) } as const;
  return new Exchange<Answered>(route, ctx, req, res, NO_MATCH);
}

/** Paths of endpoints whose errors are plain text. */
const simplePaths = /^\/api\/v1\/projects\/[^/?]+\/(webhooks|tool-hooks)(?![^/?])/;

/** Returns the shape in which the routes around the path write their errors. */
function errorShapeAt(path: string, headers: IncomingHttpHeaders): ErrorShape {
  if (isCompatiblePath(path)) return unroutedErrorShape(path, headers);
  return simplePaths.test(path) ? 'simple' : 'native';
}
