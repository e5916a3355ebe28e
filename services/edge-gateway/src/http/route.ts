import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Context } from '../context.js';

/** Which verified credentials a route accepts. Anything else that is valid is 403; nothing valid is 401. */
export type Credential = 'secret_key' | 'publishable_key' | 'customer' | 'owner';

/** How errors of a route are written; chosen per route, never per error. */
export type ErrorShape = 'native' | 'simple' | 'images' | 'openai' | 'anthropic';

export interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  headers: IncomingHttpHeaders;
  /** Absent only on routes with `auth: 'none'`. */
  principal: Principal;
  /** Passed on to every call the handler makes. */
  call: Call;
  /** As sent by the client; for signatures over raw bytes. */
  rawBody: Buffer;
  /** The client's network address, as far as trusted proxies tell. */
  address: string;
}

export interface JsonResult {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A long answer written piece by piece, with backpressure; the iterator is returned when the client goes away. */
export interface StreamResult {
  status?: number;
  headers: Record<string, string>;
  chunks: AsyncIterable<string | Uint8Array>;
  /** Written last when the process must stop before the stream has ended. */
  shutdownChunk?: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express pattern relative to /api/v1, for example `/customers/:id`. Paths starting with `/v1/` or `/.well-known/` stand at the host's root. */
  path: string;
  tag: string;
  summary: string;
  auth: readonly Credential[] | 'none';
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Status and schema of the success answer, for the OpenAPI document. */
  success: { status: number; schema?: z.ZodType; contentType?: string };
  errorShape?: ErrorShape;
  /** Honours the Idempotency-Key header: same key and body → same answer, other body → 409. */
  idempotent?: boolean;
  timeoutMs?: number;
  // biome-ignore lint/suspicious/noExplicitAny: typed by defineRoute()
  handler: (input: RouteInput<any, any, any>, ctx: Context) => Promise<JsonResult | StreamResult>;
}

/** A route without its handler: what the OpenAPI document is written from. */
export type RouteDoc = Omit<Route, 'handler'>;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** One endpoint, one file, one call of this. Schemas type the handler's input and write the OpenAPI document. */
export function defineRoute<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
>(
  route: Omit<Route, 'handler' | 'params' | 'query' | 'body'> & {
    params?: P;
    query?: Q;
    body?: B;
    handler: (input: RouteInput<Parsed<P>, Parsed<Q>, Parsed<B>>, ctx: Context) => Promise<JsonResult | StreamResult>;
  },
): Route {
  return route as Route;
}
