import { attempt, connectionError, timeoutError } from './attempt.js';
import { TollgateError } from './error.js';
import { type PageItem, Pages } from './pages.js';
import { readAnswer } from './read-answer.js';
import { readEvents } from './read-events.js';
import { type ApiRequest, type PreparedRequest, prepareRequest } from './request.js';
import { isRepeatable, nextDelayMs } from './retry-policy.js';
import type { CallOptions, Settings } from './settings.js';

/** Events of a streamed answer. The request is sent when the first event is asked for; leaving the loop ends it. */
export type EventStream<T> = AsyncGenerator<T, void, undefined>;

type Read<T> = (response: Response, controller: AbortController) => Promise<T>;

/** Sends operations: credentials, retries, time limits, pages and streams. */
export class Caller {
  constructor(readonly settings: Settings) {}

  async call<T>(request: ApiRequest, options: CallOptions = {}): Promise<T> {
    const prepared = await prepareRequest(request, options, this.settings);
    return (await this.#send(prepared, options, readAnswer)) as T;
  }

  /** `member` names the list of a page, `position` the parameter that takes its `next_cursor`. An offset is a number. */
  pages<P extends object, K extends keyof P & string>(
    request: ApiRequest,
    member: K,
    position: 'cursor' | 'offset' | 'cursor or offset',
    options: CallOptions = {},
  ): Pages<P, PageItem<P, K>> {
    const load = (next: string | undefined): Promise<P> => {
      if (next === undefined) return this.call<P>(request, options);
      const offsetOrCursor = /^\d+$/.test(next) ? 'offset' : 'cursor';
      const name = position === 'cursor or offset' ? offsetOrCursor : position;
      return this.call<P>({ ...request, query: { ...request.query, [name]: next } }, options);
    };
    return new Pages<P, PageItem<P, K>>(load, member);
  }

  async *stream<T>(request: ApiRequest, options: CallOptions = {}): EventStream<T> {
    const prepared = await prepareRequest({ ...request, isStream: true }, options, this.settings);
    const opened = await this.#send(prepared, options, async (response, controller) => ({ response, controller }));
    const { response, controller } = opened;
    const { signal } = options;
    const stop = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    const reader = response.body?.getReader();
    const next = () => this.#readPiece(reader, prepared.url, controller, signal);
    try {
      if (signal?.aborted) throw signal.reason;
      yield* readEvents<T>({ next, headers: response.headers });
    } finally {
      signal?.removeEventListener('abort', stop);
      controller.abort();
      await reader?.cancel().catch(() => undefined);
    }
  }

  async #readPiece(
    reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
    url: string,
    controller: AbortController,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array | undefined> {
    const { idleTimeoutMs } = this.settings;
    let isIdle = false;
    const timer = setTimeout(() => {
      isIdle = true;
      controller.abort();
    }, idleTimeoutMs);
    try {
      return (await reader?.read())?.value;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (isIdle) throw timeoutError(`the stream sent nothing for ${idleTimeoutMs} ms`, error);
      throw connectionError(url, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #send<T>(prepared: PreparedRequest, options: CallOptions, read: Read<T>): Promise<T> {
    const { settings } = this;
    const retriesMax = options.retriesMax ?? settings.retriesMax;
    const isSafe = isRepeatable(prepared.method, prepared.idempotencyKey);
    const limits = { timeoutMs: options.timeoutMs ?? settings.timeoutMs, signal: options.signal };
    for (let repeats = 0; ; repeats++) {
      try {
        return await this.#sendWithToken(prepared, limits, read);
      } catch (error) {
        if (!(error instanceof TollgateError) || repeats >= retriesMax) throw error;
        const delayMs = nextDelayMs(error, { attempt: repeats, isSafe }, settings);
        if (delayMs === undefined) throw error;
        await settings.timing.pause(delayMs, options.signal);
      }
    }
  }

  /** A refused token is replaced once. A 401 has no effect, so that any request may be sent again. */
  async #sendWithToken<T>(
    prepared: PreparedRequest,
    limits: { timeoutMs: number; signal: AbortSignal | undefined },
    read: Read<T>,
  ): Promise<T> {
    const { credential } = this.settings;
    if (typeof credential !== 'object') return attempt(prepared, credential, { limits, settings: this.settings, read });
    const token = await credential.getToken();
    try {
      return await attempt(prepared, token, { limits, settings: this.settings, read });
    } catch (error) {
      if (!(error instanceof TollgateError) || error.status !== 401) throw error;
      const other = await credential.getToken(token);
      if (other === token) throw error;
      return attempt(prepared, other, { limits, settings: this.settings, read });
    }
  }
}
