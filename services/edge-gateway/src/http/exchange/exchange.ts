import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions';
import { ATTR_GEN_AI_REQUEST_MODEL } from '@opentelemetry/semantic-conventions/incubating';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type Audience } from '@tollgate/errors';
import { type Call, startCall } from '@tollgate/rpc';
import { elapsed, isTracing, newOrderedId, readTraceparent, type Span, startTrace, unsampled } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { Reply } from '../answer/reply.js';
import { hostPath } from '../paths.js';
import { RequestRecord } from './request-record.js';
import type { RouteDoc } from './route-doc.js';

const TIMEOUT_MS = 30_000;
/** Request ids that clients may choose. */
const ACCEPTABLE_ID = /^[\x21-\x7e]{1,128}$/;

/** The parts that the router parsed from the request's URL. */
export interface Matched {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  /** Without the query; empty for a request that belongs to no endpoint. `Idempotency-Key` belongs to it. */
  path: string;
}

export interface RequestIds {
  /** Echoed to the client, in logs and error bodies. The client's own id when it sent an acceptable one. */
  requestId: string;
  /**
   * UUID of the request's hold. Equal to `requestId` unless the client chose that. Clients never choose this one: the
   * ledger finds a hold by this id alone, so a repeated id would be a request without a charge. It starts with the time:
   * the rows of recent requests are then neighbors in every index of ids.
   */
  holdId: string;
  /** Set once it is proven that no work was dispatched under `holdId`, so that the request costs its customer nothing. */
  isUndispatched?: boolean;
}

/** The part of a route that every answer depends on, errors included. */
export type Answered = Pick<RouteDoc, 'method' | 'path' | 'errorShape'>;

/** One HTTP request, from its arrival to its line in the log. The pipeline and the handlers of turns answer it by its `reply`. */
export class Exchange<R extends Answered = RouteDoc> {
  readonly ctx: Context;
  /** On the monotonic clock. */
  readonly startedMs = elapsed();
  readonly route: R;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly matched: Matched;
  readonly ids: RequestIds;
  /** For the line in the log. */
  readonly record = new RequestRecord();
  readonly reply: Reply;
  /** Set once the credential is verified; never set on routes that need none. */
  principal: Principal | undefined;
  readonly #span: Span | undefined;
  /** W3C context of the calls to other services; undefined without tracing. */
  readonly #traceparent: string | undefined;
  #call: Call | undefined;
  #isServed = false;
  #isClosed = false;

  constructor(route: R, ctx: Context, req: IncomingMessage, res: ServerResponse, matched: Matched) {
    this.route = route;
    this.ctx = ctx;
    this.req = req;
    this.res = res;
    this.matched = matched;
    this.ids = readRequestIds(req.headers);
    this.reply = new Reply(this);
    this.#isClosed = this.hasClientLeft;
    if (!this.#isClosed) {
      res.once('close', this.#onClose);
      closeWithConnection(req, res);
    }
    if (isTracing()) {
      const parent = readTraceparent(req.headers.traceparent);
      this.#span = this.#startSpan(parent);
      this.#traceparent = this.#span?.traceparent ?? unsampled(parent);
    }
  }

  get audience(): Audience {
    return this.principal?.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  }

  get hasClientLeft(): boolean {
    return hasClientLeft(this.req, this.res);
  }

  /** Whose turns on the event loop the work of this request takes. */
  get caller(): string {
    return findCaller(this.req);
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

  /** Thousands of clients may leave within one turn of the event loop: their requests end in turn. */
  readonly #onClose = (): void => {
    this.#isClosed = true;
    if (this.#call) this.ctx.sharedLoop.take(this.caller, () => this.#abortCall());
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
    const { stream } = this.reply;
    const failure = stream?.failure;
    if (failure) record.errorCode = failure.code;
    if (stream) record.responseBytes = stream.bytes;
    if (record.requestBytes === undefined) record.requestBytes = Number(this.req.headers['content-length'] ?? 0) || 0;
    const end = {
      requestId: ids.requestId,
      method: this.req.method ?? '',
      route: this.#pattern,
      principal,
      status,
      isStream: stream !== undefined,
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

export function readRequestIds(headers: IncomingHttpHeaders): RequestIds {
  const holdId = newOrderedId();
  const given = headers['x-service-request-id'];
  return { requestId: typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : holdId, holdId };
}

/** Returns a key of the caller that is known before it is identified: its credential, or else its address. */
export function findCaller({ headers, socket }: IncomingMessage): string {
  const key = headers['x-service-api-key'] ?? headers['x-api-key'] ?? headers['x-goog-api-key'];
  return headers.authorization ?? key?.toString() ?? socket.remoteAddress ?? '';
}

/** Whether the connection of a request has closed, for example while it waited for its start. No `close` may follow. */
export function hasClientLeft({ socket }: Pick<IncomingMessage, 'socket'>, res: ServerResponse): boolean {
  return res.destroyed || socket.destroyed;
}

/**
 * Closes an answer that is queued behind others of a pipelining client when their connection closes. Node itself closes
 * only the answer that is being sent.
 */
function closeWithConnection({ socket }: IncomingMessage, res: ServerResponse): void {
  if (res.socket !== null) return;
  const close = (): void => {
    if (res.socket !== null) return;
    res.destroy();
    res.emit('close');
  };
  // One listener for each answer that waits.
  socket.setMaxListeners(0);
  socket.once('close', close);
  res.once('close', () => socket.off('close', close));
}
