import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import { requireProject } from '../../auth/project-scope.js';
import type { Context } from '../../context.js';
import { defineRoute, type JsonResult, type Route } from '../exchange/route.js';

/** A kind of endpoint that an owner registers in a project. */
interface EndpointKind {
  /** Segment of the path, for example `webhooks`. */
  segment: string;
  /** Name of the path parameter with the endpoint's id. */
  idParam: string;
  tag: string;
  /** The endpoint's name in error messages. */
  name: string;
  /** Default: `simple`. */
  errorShape?: Route['errorShape'];
}

type Schema = z.ZodType | undefined;
type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

export interface ProjectRequest<Q extends Schema, B extends Schema> {
  query: Parsed<Q>;
  body: Parsed<B>;
  /** Acts in the project of the path. */
  call: Call;
}

export interface EndpointRequest<Q extends Schema, B extends Schema> extends ProjectRequest<Q, B> {
  /** The endpoint's id. */
  id: string;
  headers: IncomingHttpHeaders;
}

type Options<Q extends Schema, B extends Schema, Request> = Pick<
  Route,
  'method' | 'operationId' | 'summary' | 'description' | 'success' | 'audit' | 'timeoutMs' | 'refusals'
> & {
  query?: Q;
  body?: B;
  handler(request: Request, ctx: Pick<Context, 'catalog' | 'clients' | 'config' | 'rateStore'>): Promise<JsonResult>;
};

/** Returns the definers of routes for one kind of endpoint: only owners may call them, in their own projects. */
export function endpointRoutes({ segment, idParam, tag, name, errorShape = 'simple' }: EndpointKind) {
  const path = `/projects/:id/${segment}`;
  const shared = { tag, auth: ['owner'] as Route['auth'], errorShape };
  const projectParams = z.object({ id: z.string() });
  const endpointParams = z.object({ id: z.string(), [idParam]: z.string() });
  return {
    /** Defines a route on all endpoints of a project. */
    projectRoute<Q extends Schema = undefined, B extends Schema = undefined>({
      handler,
      ...route
    }: Options<Q, B, ProjectRequest<Q, B>>): Route {
      return defineRoute<typeof projectParams, Q, B>({
        ...shared,
        ...route,
        path,
        params: projectParams,
        async handler(input, ctx) {
          const principal = await requireProject(ctx, input, input.params.id);
          return handler({ query: input.query, body: input.body, call: input.call.with({ principal }) }, ctx);
        },
      });
    },
    /** Defines a route on one endpoint; `action` is the path behind its id. */
    endpointRoute<Q extends Schema = undefined, B extends Schema = undefined>({
      handler,
      action = '',
      ...route
    }: Options<Q, B, EndpointRequest<Q, B>> & { action?: string }): Route {
      return defineRoute<typeof endpointParams, Q, B>({
        ...shared,
        ...route,
        path: `${path}/:${idParam}${action}`,
        params: endpointParams,
        async handler(input, ctx) {
          const principal = await requireProject(ctx, input, input.params.id!, name);
          const { query, body, params, headers } = input;
          return handler({ id: params[idParam]!, query, body, headers, call: input.call.with({ principal }) }, ctx);
        },
      });
    },
  };
}

interface TestResult {
  status: string;
  responseStatus?: number | undefined;
  responseBody: string;
  latencyMs: number;
  error?: string | undefined;
}

/** Renders the result of a test call to an endpoint. */
export function testResultJson({ status, responseStatus, responseBody, latencyMs, error }: TestResult) {
  return {
    status,
    response_status: responseStatus ?? null,
    response_body: responseBody,
    latency_ms: latencyMs,
    error: error ?? null,
  };
}
