import type { TokenSource } from '../tokens.js';

export interface ClientOptions {
  /** Address of the gateway, such as `https://gateway.example.com`. */
  baseUrl: string;
  /** A key or token, or a source of tokens that are renewed, such as `refreshingToken(…)`. */
  credential?: string | TokenSource | undefined;
  /** Time limit of one attempt until its whole answer has arrived, or until a stream starts. Default: 10 minutes. */
  timeoutMs?: number;
  /** A stream that sends nothing for this long has broken; the service sends keepalives every 10 s. Default: 60 s. */
  idleTimeoutMs?: number;
  /** Repeats after the first attempt. Default: 2. */
  retriesMax?: number;
  /** A server that asks for a longer pause gets no repeat; the error has `retryAfterSeconds`. Default: 60 s. */
  retryAfterMaxMs?: number;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** Default: the real clock and random numbers. */
  timing?: Timing;
}

/** Time and chance, which tests replace. */
export interface Timing {
  nowMs(): number;
  /** Milliseconds by a clock that never steps. */
  elapsed(): number;
  /** Resolves after the pause; rejects with the signal's reason when it aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retriesMax?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** With a secret key: acts for this customer, who is charged. */
  customerId?: string | undefined;
  /** Default: a new key per call, which all its attempts share. Streams have none unless it is set here. */
  idempotencyKey?: string | undefined;
  /** Whether an exact repeat may be answered from the response cache. Default: as the project says. */
  cache?: boolean | undefined;
}

export interface Settings {
  baseUrl: string;
  credential: string | TokenSource | undefined;
  timeoutMs: number;
  idleTimeoutMs: number;
  retriesMax: number;
  retryAfterMaxMs: number;
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  timing: Timing;
}

export const realTiming: Timing = {
  nowMs: () => Date.now(),
  elapsed: () => performance.now(),
  pause,
  random: () => Math.random(),
};

export function toSettings(options: ClientOptions): Settings {
  const { baseUrl } = options;
  if (!/^https?:\/\/[^/]/.test(baseUrl))
    throw new TypeError(`baseUrl must be an http or https address, not ${baseUrl}`);
  return {
    baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, ''),
    credential: options.credential,
    timeoutMs: options.timeoutMs ?? 600_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
    retriesMax: options.retriesMax ?? 2,
    retryAfterMaxMs: options.retryAfterMaxMs ?? 60_000,
    headers: options.headers ?? {},
    // Called without a receiver: browsers refuse any other than the window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timing: options.timing ?? realTiming,
  };
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
