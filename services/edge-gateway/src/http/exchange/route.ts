import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Context } from '../../context.js';
import type { FieldChange } from '../../domain/reports/compare-records.js';
import type { StreamFormat } from '../answer/accept.js';
import type { Form } from './body/form-body.js';
import type { Exchange, Matched, RequestIds } from './exchange.js';
import type { RequestRecord } from './request-record.js';
import type { RouteDoc } from './route-doc.js';

export interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  headers: IncomingHttpHeaders;
  /** Undefined only on routes with `auth: 'none'`. */
  principal: Principal;
  /** Pass it on to every call the handler makes. */
  call: Call;
  /** The body as sent by the client, to forward its bytes or to verify a signature over them. */
  rawBody: Buffer;
  /** The request, whose body is unread on routes that stream a file; these check the fields of their form. */
  incoming: IncomingMessage;
  /** Set on routes that take a form; `body` then holds its fields. */
  form: Form | undefined;
  /** The client's network address, as reported by trusted proxies. */
  address: string;
  /** The id of the request and the id of its hold. */
  ids: RequestIds;
  /** For the line in the log. */
  record: RequestRecord;
}

export interface JsonResult {
  status?: number;
  /** JSON; text and bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** For the audit log of a route that names an action; false if the request has changed nothing. */
  audited?: AuditedChange | false;
}

export interface AuditedChange {
  /** Default: the id in the answer for a creation, else the last parameter of the path. */
  subjectId?: string;
  changes?: readonly FieldChange[];
}

/** One JSON event of a stream. `id` and `name` are SSE fields: clients reconnect with the id as `Last-Event-ID`. */
export interface StreamEvent {
  json: string | Uint8Array;
  id?: string;
  name?: string;
}

/** Events, framed and kept alive by the pipeline, with backpressure. Its `return()` is called when the client leaves. */
export interface EventStreamResult {
  format: StreamFormat;
  /** Media type of NDJSON; default: that of model responses. */
  ndjsonType?: string;
  events: AsyncIterable<StreamEvent>;
  /** A broken stream ends with the error in the route's shape, as the vendor's libraries expect it. */
  endsInErrors?: true;
}

/** Bytes that are sent as they come, with backpressure. Its `return()` is called when the client leaves. */
export interface ByteStreamResult {
  headers: Record<string, string>;
  chunks: AsyncIterable<string | Uint8Array>;
}

export type StreamResult = EventStreamResult | ByteStreamResult;
export type RouteResult = JsonResult | StreamResult;

/** An endpoint whose handler gets the parsed input and returns a result. */
export interface Route extends RouteDoc {
  // biome-ignore lint/suspicious/noExplicitAny: typed by defineRoute()
  handler: (input: RouteInput<any, any, any>, ctx: Context) => Promise<RouteResult>;
}

/**
 * An endpoint of the hot path. Its handler forwards the bytes of the body and answers through the exchange; only the part
 * that `read` returns is taken from the parsed body and the address.
 */
export interface BytesRoute<Request = unknown> extends RouteDoc {
  body: z.ZodType;
  read(body: unknown, headers: IncomingHttpHeaders, matched: Matched): Request;
  turn(exchange: Exchange<BytesRoute>, request: Request, bytes: Uint8Array, call: Call): Promise<void>;
}

export type Endpoint = Route | BytesRoute;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** Defines one endpoint, one per file. The schemas type the handler's input and describe it in the OpenAPI document. */
export function defineRoute<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
>(
  route: Omit<Route, 'handler' | 'params' | 'query' | 'body'> & {
    params?: P;
    query?: Q;
    body?: B;
    handler: (input: RouteInput<Parsed<P>, Parsed<Q>, Parsed<B>>, ctx: Context) => Promise<RouteResult>;
  },
): Route {
  return route as Route;
}
