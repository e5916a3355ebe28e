import type { LookupFunction } from 'node:net';
import type { ProviderId } from '@tollgate/api/model-requests';
import { FairSlots, LoopShare, type Standstill } from '@tollgate/runtime';
import { type FormData, Pool } from 'undici';
import type { KeyPool, PooledKey } from '../connections/key-pool.js';
import type { OutgoingRequest } from '../contract/authorizer.js';
import type { PendingBody } from '../contract/provider.js';
import { type UpstreamListener, UpstreamRequest } from './upstream-request.js';

/** Bounds of one connection. */
export interface UpstreamLimits {
  /** Sockets to the provider, shared fairly between accounts. */
  connections: number;
  /** Most calls in flight, including those that wait for a socket; more are rejected at once. */
  inFlightMax: number;
  connectTimeoutMs: number;
  /** Longest wait for the head of an answer. */
  responseTimeoutMs: number;
  /** Longest pause inside an answer. */
  idleTimeoutMs: number;
}

export interface UpstreamOptions extends UpstreamLimits {
  provider: ProviderId;
  /** The vendor's base URL, for example `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Sent with each request, in front of its own: a flat list of names and values. */
  headers?: readonly string[];
  /** Authorize the requests; absent: they are sent without credential. */
  keys?: KeyPool | undefined;
  /** Name lookup of the sockets; it rejects private addresses unless they are allowed. */
  lookup?: LookupFunction | undefined;
  /** Delays requests after a pause of the process, until it is known whose callers have left. */
  standstill: Pick<Standstill, 'over'>;
}

const KEEP_ALIVE_MS = 60_000;

/** Keep-alive connections to one provider. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #pool: Pool;
  readonly #loop = new LoopShare();
  readonly #origin: string;
  readonly #basePath: string;
  readonly #headers: readonly string[];
  readonly #slots: FairSlots;

  constructor(options: UpstreamOptions) {
    const url = new URL(options.baseUrl);
    this.#options = options;
    this.#origin = url.origin;
    this.#headers = options.headers ?? [];
    this.#basePath = url.pathname.replace(/\/$/, '');
    this.#slots = new FairSlots({
      slots: options.connections,
      waitingMax: Math.max(0, options.inFlightMax - options.connections),
    });
    this.#pool = new Pool(url.origin, {
      connections: options.connections,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: options.responseTimeoutMs,
      bodyTimeout: options.idleTimeoutMs,
      connect: { timeout: options.connectTimeoutMs, ...(options.lookup ? { lookup: options.lookup } : {}) },
    });
  }

  /** Sends a request on behalf of an account; headers are a flat list of names and values. */
  post(
    path: string,
    headers: string[],
    body: string | FormData | PendingBody,
    listener: UpstreamListener,
    accountId: string,
  ): UpstreamRequest {
    const slot = {
      accountId,
      canceled: () => this.#slots.drop(accountId, start),
      ended: () => this.#slots.release(accountId),
    };
    const request = new UpstreamRequest(this.#options.provider, listener, slot, this.#loop);
    const start = (): void => this.#dispatch({ path, headers, body, request });
    if (!this.#slots.take(accountId, start)) setImmediate(refuse, request);
    return request;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #dispatch(call: StartedCall): void {
    const resumed = this.#options.standstill.over();
    if (!resumed) this.#dispatchNow(call);
    else void resumed.then(() => (call.request.isOver ? call.request.wasNotSent() : this.#dispatchNow(call)));
  }

  #dispatchNow({ path, headers, body, request }: StartedCall): void {
    if (typeof body === 'function') void this.#sendLater(path, headers, body, request);
    else this.#send(path, headers, body, request);
  }

  /** The slot is kept while the body is written, and freed if it is not sent. */
  async #sendLater(path: string, headers: string[], body: PendingBody, request: UpstreamRequest): Promise<void> {
    try {
      const bytes = await body();
      if (request.isOver) request.wasNotSent();
      else this.#send(path, headers, bytes, request);
    } catch (error) {
      request.wasNotSent();
      request.fail('unwritten', error);
    }
  }

  #send(path: string, headers: string[], body: Body, request: UpstreamRequest): void {
    const fullPath = this.#basePath + path;
    const sent = { method: 'POST', origin: this.#origin, path: fullPath, headers, body } as const;
    const { keys } = this.#options;
    const key = keys?.take();
    if (keys?.isShared && key) request.observe((status, answered) => keys.answered(key, status, answered));
    const added = key?.authorizer.authorize(sent) ?? [];
    if (added instanceof Promise) void this.#sendAuthorized({ path: fullPath, headers, body, request }, added, key);
    else this.#dispatchTo(fullPath, [...this.#headers, ...added, ...headers], body, request);
  }

  /** The slot is kept while the credential is fetched, and freed if the request is not sent. */
  async #sendAuthorized(
    { path, headers, body, request }: Omit<StartedCall, 'body'> & { body: Body },
    added: Promise<readonly string[]>,
    key: PooledKey | undefined,
  ): Promise<void> {
    try {
      const all = [...this.#headers, ...(await added), ...headers];
      if (request.isOver) request.wasNotSent();
      else this.#dispatchTo(path, all, body, request);
    } catch (error) {
      if (key) this.#options.keys?.unauthorized(key);
      request.wasNotSent();
      request.fail('unauthorized', error);
    }
  }

  #dispatchTo(path: string, headers: string[], body: Body, request: UpstreamRequest): void {
    this.#pool.dispatch({ method: 'POST', path, headers, body }, request);
    request.wasSent();
  }
}

type Body = OutgoingRequest['body'];

/** A call that has a slot. */
interface StartedCall {
  path: string;
  headers: string[];
  body: string | FormData | PendingBody;
  request: UpstreamRequest;
}

function refuse(request: UpstreamRequest): void {
  request.fail('overloaded');
}
