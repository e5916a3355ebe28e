import { AppError } from '@tollgate/errors';
import express from 'express';
import type { Context } from '../../context.js';
import { Exchange } from '../exchange/exchange.js';
import { withOwnerSessions } from '../exchange/owner-sessions.js';
import type { Endpoint, Route } from '../exchange/route.js';
import { serve } from '../exchange/serve.js';
import { bySpecificity, expressPath } from '../paths.js';

/** A router of Express that is mounted at its own paths: one expression, not one for each path, decides whether it is entered. */
type PathRouter = express.Router & { paths: RegExp };

/** One folder's endpoints as a router, with their declarations for the OpenAPI document. */
export interface EndpointRouter extends PathRouter {
  declared: readonly Route[];
  /** The endpoints under `/projects/:id/…` that owners' sessions may call. */
  twins: readonly Route[];
}

/**
 * Returns the router of a folder's endpoints. All endpoints of one path belong to one router, which refuses the other methods.
 * Their order is irrelevant: literal segments match before parameters.
 */
export function endpoints(...routes: readonly Route[]): EndpointRouter {
  const { declared, twins } = withOwnerSessions(routes);
  return Object.assign(createRouter([...declared, ...twins]), { declared, twins });
}

/** Returns every declaration, twins last. */
export function listRoutes(routers: readonly EndpointRouter[]): Route[] {
  return [...routers.flatMap(({ declared }) => declared), ...routers.flatMap(({ twins }) => twins)];
}

/** Returns a router that serves each `Route` and refuses the other methods of its path. Turns are served in front of it. */
export function createRouter(all: readonly Endpoint[]): PathRouter {
  const router = express.Router({ caseSensitive: true });
  const paths = [...new Set(all.map(({ path }) => expressPath(path)))].sort(bySpecificity);
  for (const path of paths) {
    const here = all.filter((endpoint) => expressPath(endpoint.path) === path);
    const at = router.route(path);
    for (const endpoint of here) if ('handler' in endpoint) at[METHODS[endpoint.method]](toHandler(endpoint));
    at.all(refuseMethod(here));
  }
  return Object.assign(router, { paths: toPattern(paths) });
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

function toHandler(route: Route): express.RequestHandler {
  return (req, res) => {
    const { params, query, path } = req;
    const ctx = req.app.locals.ctx as Context;
    void serve(new Exchange(route, ctx, req, res, { params, query, path }));
  };
}

function refuseMethod(here: readonly Endpoint[]): express.RequestHandler {
  const methods = here.map(({ method }): string => method);
  const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort().join(', ');
  return (_req, res, next) => {
    res.setHeader('Allow', allowed);
    next(new AppError('METHOD_NOT_ALLOWED', `this endpoint allows ${allowed}`));
  };
}

/** The group is a lookahead, which takes nothing off the path. */
function toPattern(paths: readonly string[]): RegExp {
  const patterns = paths.map((path) => path.replaceAll('.', '\\.').replace(/(?<!\\):\w+/g, '[^/]+'));
  return new RegExp(`^(?=(?:${patterns.join('|')})/?$)`);
}
