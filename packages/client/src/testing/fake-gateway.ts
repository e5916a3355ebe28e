import { Caller } from '../core/caller.js';
import { type ClientOptions, type Timing, toSettings } from '../core/settings.js';

export interface Recorded {
  method: string;
  url: URL;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

/** An answer, or a function that makes it; an Error breaks the connection. */
export type Scripted = Response | Error | ((request: Recorded) => Response | Promise<Response>);

export interface FakeGateway {
  fetch: typeof fetch;
  requests: Recorded[];
}

/** Answers requests in the order of the script; the last entry answers all further ones, if it is a function. */
export function fakeGateway(...script: Scripted[]): FakeGateway {
  const requests: Recorded[] = [];
  const answer = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body, signal } = init;
    const recorded = {
      method,
      url: new URL(String(input)),
      headers: new Headers(headers),
      body: typeof body === 'string' ? body : undefined,
      signal: signal ?? undefined,
    };
    requests.push(recorded);
    const last = script.at(-1);
    const next = script[requests.length - 1] ?? (typeof last === 'function' ? last : undefined);
    if (next === undefined) throw new Error(`the script has no answer for request ${requests.length}`);
    if (next instanceof Error) throw next;
    return typeof next === 'function' ? next(recorded) : next;
  };
  return { fetch: answer as typeof fetch, requests };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** A stream of these pieces; `end` is thrown after them. */
export function streamed(
  pieces: readonly (string | Uint8Array)[],
  type = 'application/x-ndjson',
  end?: Error,
): Response {
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = pieces[next++];
      if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      else if (end) controller.error(end);
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': type } });
}

/** `fetch` of Node reports a broken connection like this. */
export function brokenConnection(): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) });
}

/** Time passes only in pauses, which end at once. */
export function fakeTiming(): Timing & { pauses: number[]; skip(ms: number): void } {
  let nowMs = 1_700_000_000_000;
  const pauses: number[] = [];
  return {
    pauses,
    nowMs: () => nowMs,
    elapsed: () => nowMs,
    skip: (ms) => {
      nowMs += ms;
    },
    pause: async (ms, signal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
      nowMs += ms;
    },
    random: () => 0,
  };
}

export const BASE_URL = 'http://gateway.test';

export function makeCaller(gateway: FakeGateway, options: Partial<ClientOptions> = {}): Caller {
  return new Caller(toSettings({ baseUrl: BASE_URL, fetch: gateway.fetch, timing: fakeTiming(), ...options }));
}
