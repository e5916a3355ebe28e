import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError, asAppError, isAppError } from '@tollgate/errors';
import express from 'express';
import type { Context } from '../../context.js';
import { consoleHandler, portalFrames } from '../console/serve-console.js';
import { type Answered, Exchange, findCaller, hasClientLeft, type Matched } from '../exchange/exchange.js';
import { refuse } from '../exchange/serve.js';
import { openApiRoute } from '../openapi/openapi.js';
import { pageRouter } from '../pages/index.js';
import { type ErrorShape, isCompatiblePath, unroutedErrorShape } from '../paths.js';
import { upgradeHandler } from '../realtime/upgrade.js';
import { connectRealtime } from '../routes/realtime/connect-realtime.js';
import { turnHandler, turnRoutes } from '../turns/index.js';
import { createRouter, type EndpointRouter, endpoints, listRoutes } from './endpoints.js';
import type { UpgradeListener } from './server.js';
import { cors, inOrder, type Middleware, probes, rewriteGooglePath } from './steps.js';

/**
 * The public HTTP API: what every request passes, in this order. Each step answers or calls the next one; the last one is
 * Express. Model requests are found in front of it.
 */
export function createApp(ctx: Context, routers: readonly EndpointRouter[]): RequestListener {
  return inOrder(
    rewriteGooglePath,
    probes(ctx),
    closeWhileDraining(ctx),
    consoleHandler(undefined, portalFrames(ctx)),
    cors,
    fairStart(ctx),
    turnHandler(ctx),
    expressApp(ctx, routers),
  );
}

/** The sockets of the public API. */
export function createUpgradeListener(ctx: Context): UpgradeListener {
  const { messageBytesMax } = ctx.config.realtime;
  return upgradeHandler(messageBytesMax, (req, res, matched) => new Exchange(connectRealtime, ctx, req, res, matched));
}

/** Express finds the endpoint of a request. `serve` does the rest: identity, limits, body, idempotency, answer. */
function expressApp(ctx: Context, routers: readonly EndpointRouter[]): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.locals.ctx = ctx;
  const openApi = endpoints(openApiRoute(listRoutes(routers), turnRoutes));
  for (const router of [createRouter(turnRoutes), ...routers, pageRouter, openApi]) app.use(router.paths, router);
  app.use((_req, _res, next) => next(new AppError('NOT_FOUND', 'no such endpoint')));
  app.use(answerErrors(ctx));
  return app;
}

/** Answers 404, 405 and what is thrown before an endpoint runs: by Express for a path that cannot be decoded, else by a defect. */
function answerErrors(ctx: Context): express.ErrorRequestHandler {
  return (error, req, res, _next) => {
    const isPath = error instanceof URIError;
    if (!isPath && !isAppError(error)) ctx.logger.error({ err: error, path: req.path }, 'request failed');
    const refusal = isPath ? new AppError('INVALID_INPUT', 'malformed request path') : asAppError(error);
    void refuse(unrouted(ctx, req, res), refusal);
  };
}

/** Clients of a process that stops connect to another one for their next request. */
function closeWhileDraining({ lifecycle }: Pick<Context, 'lifecycle'>): Middleware {
  return (_req, res, next) => {
    if (lifecycle.isDraining) res.shouldKeepAlive = false;
    next();
  };
}

/** Lets callers take turns on the event loop. A request whose client left before its turn is counted and logged, not served. */
function fairStart(ctx: Context): Middleware {
  return (req, res, next) =>
    ctx.sharedLoop.take(findCaller(req), () => {
      if (!hasClientLeft(req, res)) return next();
      const exchange = unrouted(ctx, req, res);
      ctx.requestMetrics.followUnrouted(exchange);
      exchange.served();
    });
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
