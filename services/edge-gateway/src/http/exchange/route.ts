import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Context } from '../../context.js';
import type { AuditAction } from '../../operations/record-audit.js';
import type { BodyClass } from './body-limits.js';
import type { Form } from './form-body.js';
import type { RequestIds } from './request-id.js';

/** Which verified credentials a route accepts. Anything else that is valid is 403; nothing valid is 401. */
export type Credential = 'secret_key' | 'publishable_key' | 'customer' | 'owner';

/** How errors of a route are written; chosen per route (where two vendors' libraries ask it, per client), never per error. */
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
  /** Set on routes that take a form; `body` then has its fields. */
  form: Form | undefined;
  /** The client's network address, as far as trusted proxies tell. */
  address: string;
  /** Under which what the request spends is held. */
  ids: RequestIds;
}

export interface JsonResult {
  status?: number;
  /** JSON, or text and bytes that are sent as they are. */
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

/** Of the OpenAPI document. JSON, unless the content type says otherwise. */
export interface Answer {
  status: number;
  schema?: z.ZodType;
  contentType?: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express pattern relative to /api/v1, for example `/customers/:id`. Paths starting with `/v1/` or `/.well-known/` stand at the host's root. */
  path: string;
  tag: string;
  summary: string;
  auth: readonly Credential[] | 'none';
  /** An owner's session acts in the project of the path as its secret key would. */
  ownerActsAsKey?: boolean;
  params?: z.ZodType;
  query?: z.ZodType;
  /** Third parties lead browsers here and add parameters of their own. */
  ignoresUnknownQuery?: boolean;
  body?: z.ZodType;
  /** The body is multipart/form-data instead of JSON; its text fields are what `body` describes. */
  takesForm?: boolean;
  /** Bounds the size of the body. Default: `standard`, and `open` where no credential is needed. */
  bodyClass?: BodyClass;
  /** The vendor's client library may send its key as `x-api-key`. */
  acceptsVendorKeyHeader?: boolean;
  /** Status and schema of the success answer, for the OpenAPI document. */
  success: Answer;
  /** Other answers of the handler: further content types of the success, pages, redirects, refusals of another form. */
  alsoAnswers?: readonly Answer[];
  /** Statuses that only the handler knows of; the document has those of every route like it by itself. */
  refusals?: readonly (400 | 401 | 402 | 403 | 404 | 409 | 410 | 422)[];
  errorShape?: ErrorShape | ((headers: IncomingHttpHeaders) => ErrorShape);
  /** Honours the Idempotency-Key header: same key and body → same answer, other body → 409. */
  idempotent?: boolean;
  /**
   * Of an idempotent route that spends: ids of the holds that the attempt with this id may have made for this body. A
   * repeat of an attempt whose outcome is unknown supersedes them. Runs are not among them: the engine keeps their key.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the body that the route's schema gave
  holdIds?: (attemptId: string, body: any) => readonly string[];
  /** Honours the X-Service-Cache header. */
  cacheable?: boolean;
  timeoutMs?: number;
  /** Written to the account's audit log when the handler has succeeded. */
  audit?: AuditAction;
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
