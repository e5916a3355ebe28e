import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions';
import { ATTR_GEN_AI_REQUEST_MODEL } from '@opentelemetry/semantic-conventions/incubating';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type Audience, asAppError } from '@tollgate/errors';
import { type Call, startCall } from '@tollgate/rpc';
import { elapsed, isTracing, readTraceparent, type Span, startTrace, unsampled } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { type AnswerCopy, flatten } from '../answer/answer-copy.js';
import { challenge } from '../answer/challenge.js';
import { hasClientLeft } from '../answer/client-left.js';
import { closeWithConnection } from '../answer/close-with-connection.js';
import { type RenderedError, renderError } from '../answer/render-error.js';
import { AnswerStream, type StreamOptions } from '../answer/stream.js';
import { isCompatiblePath, VENDOR_REQUEST_ID_HEADERS } from '../answer/vendor.js';
import { hostPath } from '../openapi/route-order.js';
import { findCaller } from '../server/find-caller.js';
import { REQUEST_ID_HEADER, type RequestIds, readRequestIds } from './request-id.js';
import { RequestRecord } from './request-record.js';
import type { RouteDoc } from './route-doc.js';

const TIMEOUT_MS = 30_000;

/** Keeps browsers from guessing another content type: answers contain text from users and models. */
const NO_SNIFF = ['X-Content-Type-Options', 'nosniff'] as const;

/** The parts that the router parsed from the request's URL. */
export interface Matched {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  /** Without the query; empty for a request that belongs to no endpoint. `Idempotency-Key` belongs to it. */
  path: string;
}

/** The part of a route that every answer depends on, errors included. */
export type Answered = Pick<RouteDoc, 'method' | 'path' | 'errorShape'>;

/** One HTTP request and its answer. The pipeline and the handlers of turns write through it. */
export class Exchange<R extends Answered = RouteDoc> {
  readonly ctx: Context;
  /** On the monotonic clock. */
  readonly startedMs = elapsed();
  readonly route: R;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly matched: Matched;
  readonly ids: RequestIds;
  /** Headers of every answer, flat: name, value, name, value. */
  readonly headers: string[];
  /** For the line in the log. */
  readonly record = new RequestRecord();
  /** Set once the credential is verified; never set on routes that need none. */
  principal: Principal | undefined;
  /** Set while the answer is kept for repeats of the request. */
  copy: AnswerCopy | undefined;
  readonly #span: Span | undefined;
  /** W3C context of the calls to other services; undefined without tracing. */
  readonly #traceparent: string | undefined;
  #call: Call | undefined;
  #isServed = false;
  #isClosed = false;
  #stream: AnswerStream | undefined;

  constructor(route: R, ctx: Context, req: IncomingMessage, res: ServerResponse, matched: Matched) {
    this.route = route;
    this.ctx = ctx;
    this.req = req;
    this.res = res;
    this.matched = matched;
    this.ids = readRequestIds(req.headers);
    this.headers = [REQUEST_ID_HEADER, this.ids.requestId, ...NO_SNIFF];
    this.#isClosed = hasClientLeft(req, res);
    if (!this.#isClosed) {
      res.once('close', this.#onClose);
      closeWithConnection(req, res);
    }
    if (isTracing()) {
      const parent = readTraceparent(req.headers.traceparent);
      this.#span = this.#startSpan(parent);
      this.#traceparent = this.#span?.traceparent ?? unsampled(parent);
    }
    if (!isCompatiblePath(route.path)) return;
    for (const name of VENDOR_REQUEST_ID_HEADERS) this.headers.push(name, this.ids.requestId);
  }

  get audience(): Audience {
    return this.principal?.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  }

  /** The stream of the answer, once its headers are out. */
  get stream(): AnswerStream | undefined {
    return this.#stream;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.headers.push(name, headers[name]!);
  }

  /** Starts the call that carries identity, deadline and trace to other services. */
  startCall(timeoutMs = TIMEOUT_MS): Call {
    return startCall({
      requestId: this.ids.requestId,
      principal: this.principal,
      timeoutMs,
      traceparent: this.#traceparent,
    });
  }

  /** Aborts the call when the client leaves before its answer is complete. */
  abortWhenClientLeaves(call: Call): void {
    this.#call = call;
    if (this.#isClosed || this.res.destroyed) this.#abortCall();
  }

  /** Stops aborting the call: the answer is complete, or the client has left. */
  done(): void {
    this.#call = undefined;
  }

  /** The request has been served. Its end is logged once the connection has also finished the answer. */
  served(): void {
    this.#isServed = true;
    if (this.#isClosed) this.#end();
  }

  /** Answers in one piece. `headers` is a flat list. While the answer is kept for repeats, stores it instead. */
  answer(status: number, headers: readonly string[], body: Uint8Array): void {
    if (this.copy) this.copy.take(status, headers, body);
    else this.write(status, headers, body);
  }

  /** Starts a streamed answer. `headers` is a flat list. */
  openStream(headers: readonly string[], options: StreamOptions): AnswerStream {
    this.copy?.begin(200, headers);
    this.res.writeHead(200, [...this.headers, ...headers]);
    const caller = findCaller(this.req);
    const inTurn = (write: () => void): void => this.ctx.sharedLoop.take(caller, write);
    this.#stream = new AnswerStream(this.res, this.ctx.openStreams, options, this.copy, inTurn);
    return this.#stream;
  }

  /** Writes one complete answer. `headers` is a flat list. */
  write(status: number, headers: readonly string[], body: Uint8Array | string): void {
    this.done();
    const { res } = this;
    if (res.headersSent || res.destroyed) return;
    this.record.responseBytes = byteLength(body);
    if (status === 401) this.headers.push('WWW-Authenticate', challenge(this));
    if (status === 204) res.writeHead(status, [...this.headers, ...headers]);
    else res.writeHead(status, [...this.headers, ...headers, 'Content-Length', String(byteLength(body))]);
    res.end(body);
  }

  writeError({ status, headers, body }: RenderedError): void {
    this.write(status, flatten(headers), body);
  }

  /** Ends an answer that has started and cannot be completed. A stream that breaks must not look finished. */
  breakOff(error: AppError): void {
    if (this.#stream?.fail(error)) return;
    if (!this.res.destroyed) this.record.isCut = true;
    this.res.destroy();
  }

  renderError(error: unknown): RenderedError {
    const { errorShape: shape = 'native' } = this.route;
    const { audience, ids, req } = this;
    this.record.errorCode = asAppError(error).code;
    return renderError(error, typeof shape === 'string' ? shape : shape(req.headers), ids.requestId, { audience });
  }

  /** Thousands of clients may leave within one turn of the event loop: their requests end in turn. */
  readonly #onClose = (): void => {
    this.#isClosed = true;
    if (this.#call) this.ctx.sharedLoop.take(findCaller(this.req), () => this.#abortCall());
    if (this.#isServed) this.#end();
  };

  #abortCall(): void {
    this.#call?.abort(clientLeft());
  }

  /** The pattern of the endpoint, from the host's root. */
  get #pattern(): string | undefined {
    return this.matched.path === '' ? undefined : hostPath(this.route.path);
  }

  #startSpan(parent: string | undefined): Span | undefined {
    const { method = '' } = this.req;
    const pattern = this.#pattern;
    const fields = {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      [ATTR_HTTP_ROUTE]: pattern,
      'tollgate.request_id': this.ids.requestId,
    };
    return startTrace(pattern === undefined ? method : `${method} ${pattern}`, 'server', parent, fields);
  }

  #end(): void {
    const { res, record, principal, ids } = this;
    const status = res.headersSent ? res.statusCode : undefined;
    const failure = this.#stream?.failure;
    if (failure) record.errorCode = failure.code;
    if (this.#stream) record.responseBytes = this.#stream.bytes;
    if (record.requestBytes === undefined) record.requestBytes = Number(this.req.headers['content-length'] ?? 0) || 0;
    const end = {
      requestId: ids.requestId,
      method: this.req.method ?? '',
      route: this.#pattern,
      principal,
      status,
      isStream: this.#stream !== undefined,
      hasClientLeft: !res.writableFinished && !record.isCut && !failure,
      traceparent: this.#span?.traceparent,
    };
    record.log(this.ctx.requestLog, end);
    record.keepRefusal(this.ctx.refusals, { ...end, holdId: ids.holdId, at: this.ctx.clock.now() });
    if (!this.#span) return;
    this.#span.set({
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
      'tollgate.project_id': principal?.projectId,
      [ATTR_GEN_AI_REQUEST_MODEL]: record.model,
    });
    if (record.hasFailed || (record.errorCode !== undefined && (status === undefined || status < 400 || status >= 500)))
      this.#span.fail(record.errorCode ?? 'stream');
    this.#span.end();
  }
}

/** The error of a request whose client does not wait for its answer. */
export function clientLeft(): AppError {
  return new AppError('RELAY_TIMEOUT', 'the client disconnected');
}

function byteLength(body: Uint8Array | string): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}
