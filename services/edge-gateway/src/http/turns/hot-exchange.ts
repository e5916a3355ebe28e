import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type Audience } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { NO_SNIFF } from '../answer/no-sniff.js';
import type { RateOutcome } from '../exchange/rate-limit.js';
import { REQUEST_ID_HEADER, type RequestIds, requestIdsOf } from '../exchange/request-id.js';
import type { HotRoute } from './hot-route.js';

/** One request of a hot route on its way through. */
export class HotExchange {
  readonly ctx: Context;
  readonly route: HotRoute;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly ids: RequestIds;
  /** Headers of every answer, flat: name, value, name, value. */
  readonly headers: string[];
  principal: Principal | undefined;
  #call: Call | undefined;

  constructor(route: HotRoute, ctx: Context, req: IncomingMessage, res: ServerResponse) {
    this.route = route;
    this.ctx = ctx;
    this.req = req;
    this.res = res;
    this.ids = requestIdsOf(req.headers);
    this.headers = [REQUEST_ID_HEADER, this.ids.requestId, ...NO_SNIFF];
    for (const name of route.requestIdHeaders) this.headers.push(name, this.ids.requestId);
  }

  get audience(): Audience {
    return this.principal?.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  }

  /** Notes the limit's headers. */
  addRate({ headers }: RateOutcome): void {
    for (const name in headers) this.headers.push(name, headers[name]!);
  }

  /** From here on the call ends when the client goes away before its answer is complete. */
  abortWhenClientLeaves(call: Call): void {
    this.#call = call;
    this.res.once('close', this.#onClose);
    if (this.res.destroyed) this.#onClose();
  }

  /** The answer is complete, or nobody is to be told any more. */
  done(): void {
    this.#call = undefined;
  }

  /** One complete answer. */
  write(status: number, headers: readonly string[], body: Uint8Array | string): void {
    this.done();
    if (this.res.headersSent || this.res.destroyed) return;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    this.res.writeHead(status, [...this.headers, ...headers, 'Content-Length', String(length)]);
    this.res.end(body);
  }

  readonly #onClose = (): void => {
    this.#call?.abort(new AppError('RELAY_TIMEOUT', 'the client went away'));
  };
}

export function flat(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name]!);
  return list;
}

export function flatToRecord(headers: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) record[headers[i]!] = headers[i + 1]!;
  return record;
}
