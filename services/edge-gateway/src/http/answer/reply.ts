import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AppError, type Audience, asAppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { RequestRecord } from '../exchange/request-record.js';
import type { RouteDoc } from '../exchange/route-doc.js';
import { isCompatiblePath, VENDOR_REQUEST_ID_HEADERS } from '../paths.js';
import { type AnswerCopy, flatten } from './answer-copy.js';
import { challenge } from './challenge.js';
import { type RenderedError, renderError } from './render-error.js';
import { AnswerStream, type StreamOptions } from './stream.js';

const REQUEST_ID_HEADER = 'X-Service-Request-Id';

/** Keeps browsers from guessing another content type: answers contain text from users and models. */
const NO_SNIFF = ['X-Content-Type-Options', 'nosniff'] as const;

/** The request that is answered. */
interface Asked {
  ctx: Pick<Context, 'config' | 'openStreams' | 'sharedLoop'>;
  route: Pick<RouteDoc, 'path' | 'errorShape'>;
  req: IncomingMessage;
  res: ServerResponse;
  ids: { requestId: string };
  /** The reader of its errors. */
  audience: Audience;
  /** Whose turns on the event loop its writes take. */
  caller: string;
  /** For the line in the log. */
  record: RequestRecord;
  /** Its answer is complete. */
  done(): void;
}

/** The answer to one request: in one piece or as a stream, or an error. */
export class Reply {
  /** Headers of every answer, flat: name, value, name, value. */
  readonly headers: string[];
  /** Set while the answer is kept for repeats of the request. */
  copy: AnswerCopy | undefined;
  readonly #asked: Asked;
  #stream: AnswerStream | undefined;

  constructor(asked: Asked) {
    const { ids, route } = asked;
    this.#asked = asked;
    this.headers = [REQUEST_ID_HEADER, ids.requestId, ...NO_SNIFF];
    if (!isCompatiblePath(route.path)) return;
    for (const name of VENDOR_REQUEST_ID_HEADERS) this.headers.push(name, ids.requestId);
  }

  /** The stream of the answer, once its headers are out. */
  get stream(): AnswerStream | undefined {
    return this.#stream;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.headers.push(name, headers[name]!);
  }

  /** Answers in one piece. `headers` is a flat list. While the answer is kept for repeats, stores it instead. */
  answer(status: number, headers: readonly string[], body: Uint8Array): void {
    if (this.copy) this.copy.take(status, headers, body);
    else this.write(status, headers, body);
  }

  /** Starts a streamed answer. `headers` is a flat list. */
  openStream(headers: readonly string[], options: StreamOptions): AnswerStream {
    this.copy?.begin(200, headers);
    const { ctx, res, caller } = this.#asked;
    res.writeHead(200, [...this.headers, ...headers]);
    const inTurn = (write: () => void): void => ctx.sharedLoop.take(caller, write);
    this.#stream = new AnswerStream(res, ctx.openStreams, options, this.copy, inTurn);
    return this.#stream;
  }

  /** Writes one complete answer. `headers` is a flat list. */
  write(status: number, headers: readonly string[], body: Uint8Array | string): void {
    const { res, record } = this.#asked;
    this.#asked.done();
    if (res.headersSent || res.destroyed) return;
    record.responseBytes = byteLength(body);
    if (status === 401) this.headers.push('WWW-Authenticate', challenge(this.#asked));
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
    const { res, record } = this.#asked;
    if (!res.destroyed) record.isCut = true;
    this.#stream?.flush();
    res.destroy();
  }

  /** Renders an error in the shape of the endpoint, for the reader of its answer. Notes its code for the log. */
  renderError(error: unknown): RenderedError {
    const { audience, ids, record, req, route } = this.#asked;
    const { errorShape: shape = 'native' } = route;
    record.errorCode = asAppError(error).code;
    return renderError(error, typeof shape === 'string' ? shape : shape(req.headers), ids.requestId, { audience });
  }
}

function byteLength(body: Uint8Array | string): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}
