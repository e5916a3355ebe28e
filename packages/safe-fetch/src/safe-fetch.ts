import { invariant } from '@tollgate/errors';
import type { Pool } from 'undici';
import { isAllowedAddress } from './address.js';
import { exchange, type OutgoingRequest } from './exchange.js';
import { exchangeStream, type SafeFetchStream } from './exchange-stream.js';
import { createNameServerLookup } from './name-servers.js';
import { createOriginPools, type PoolLimits } from './origin-pools.js';
import { FailureError, failure, type SafeFetchFailure, type SafeFetchResult } from './outcome.js';
import { cachingLookup, type Lookup, lookupBySystem } from './resolver.js';
import { parseTarget, type Target } from './target.js';

/** One request to a URL that a user supplied. */
export interface SafeFetchInit {
  /** Default GET. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Headers that control the connection (host, connection, content-length, transfer-encoding …) are rejected. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For everything together: resolving, connecting, sending, reading to the end. Default 10,000. */
  timeoutMs?: number;
  /** Body bytes read at most. Default 1 MiB. */
  maxResponseBytes?: number;
  /** What to do with a longer answer: fail as `too_large` (default), or cut it. */
  oversize?: 'fail' | 'truncate';
  /** What to do with an answer whose body breaks off or is late: fail (default), or return the status and what arrived. */
  broken?: 'fail' | 'truncate';
  /** Allows private addresses, http and any port. Metadata addresses stay forbidden. */
  allowPrivate?: boolean;
  signal?: AbortSignal;
}

/** A request whose answer is read as it arrives. */
export type SafeStreamInit = Omit<SafeFetchInit, 'oversize' | 'broken'>;

/** Overrides of the client's defaults. */
export interface SafeFetchOptions extends Partial<PoolLimits> {
  /** Default: for requests that may reach private addresses the operating system, for all others its name servers. */
  lookup?: Lookup;
  /** How long an answer of `lookup` is cached. Default 5,000; 0 = not at all. */
  lookupTtlMs?: number;
  /** Requests that may wait for a connection to one origin; further ones fail at once. Default 1,024. */
  queuedPerOriginMax?: number;
}

/** Makes requests to URLs that users supply, and keeps connections alive between them. */
export interface SafeFetchClient {
  fetch(url: string, init?: SafeFetchInit): Promise<SafeFetchResult>;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Also opens answers that are read as they arrive. */
export interface SafeStreamClient extends SafeFetchClient {
  /** Returns the answer when its head arrives. The deadline and the bound of bytes cover the body, too. */
  open(url: string, init?: SafeStreamInit): Promise<SafeFetchStream | SafeFetchFailure>;
}

const defaults = {
  connectionsPerOrigin: 64,
  originsMax: 512,
  idleTimeoutMs: 4_000,
  connectTimeoutMs: 10_000,
  responseHeaderBytesMax: 16_384,
} satisfies PoolLimits;

const RESPONSE_BYTES_MAX = 1_048_576;
const NAMES_MAX = 4_096;
/** Addresses of one host that are tried when connecting fails. */
const ADDRESSES_TRIED_MAX = 3;

const reservedHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
]);

/** A client of its own, with its own connections. */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeStreamClient {
  const { lookup, lookupTtlMs = 5_000, queuedPerOriginMax = 1_024, ...limits } = options;
  const cache = { ttlMs: lookupTtlMs, namesMax: NAMES_MAX };
  const resolvePublic = cachingLookup(lookup ?? createNameServerLookup(), cache);
  // Names of a private network may need its search domains.
  const resolvePrivate = lookup ? resolvePublic : cachingLookup(lookupBySystem, cache);
  const pools = createOriginPools({ ...defaults, ...limits });

  async function send<T extends { ok: true }>(
    target: Target,
    init: SafeStreamInit,
    expiry: AbortSignal,
    exchangeOn: (route: { pool: Pool; address: string; request: OutgoingRequest }) => Promise<T | SafeFetchFailure>,
  ): Promise<T | SafeFetchFailure> {
    const { allowPrivate = false } = init;
    const resolve = allowPrivate ? resolvePrivate : resolvePublic;
    const addresses = await checkedAddresses(target, allowPrivate, resolve, expiry);
    if (!Array.isArray(addresses)) return addresses;
    let result: T | SafeFetchFailure = failure('dns', 'the host has no address');
    for (const address of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
      const pool = pools.acquire(target, address, allowPrivate);
      if (isOverloaded(pool, queuedPerOriginMax))
        return failure('connect', 'too many requests are waiting for this host');
      result = await exchangeOn({ pool, address, request: toRequest(target, init) });
      if (result.ok || result.reason !== 'connect' || result.reached) return result;
    }
    return result;
  }

  return {
    async fetch(url, init = {}) {
      const target = parseTarget(url, init.allowPrivate ?? false);
      if ('ok' in target) return target;
      const expiry = startExpiry(init.timeoutMs ?? 10_000, init.signal);
      const { maxResponseBytes: bodyBytesMax = RESPONSE_BYTES_MAX, oversize = 'fail', broken = 'fail' } = init;
      const limits = { bodyBytesMax, oversize, broken };
      try {
        return await send(target, init, expiry.signal, ({ pool, address, request }) =>
          exchange(pool, request, limits, { expiry: expiry.signal, remoteAddress: address }),
        );
      } finally {
        expiry.clear();
      }
    },
    async open(url, init = {}) {
      const target = parseTarget(url, init.allowPrivate ?? false);
      if ('ok' in target) return target;
      const expiry = startExpiry(init.timeoutMs ?? 10_000, init.signal);
      const limits = { bodyBytesMax: init.maxResponseBytes ?? RESPONSE_BYTES_MAX, expiry: expiry.signal };
      let isOpen = false;
      try {
        const result = await send(target, init, expiry.signal, ({ pool, address, request }) =>
          exchangeStream(pool, request, { ...limits, remoteAddress: address, onClose: expiry.clear }),
        );
        isOpen = result.ok;
        return result;
      } finally {
        if (!isOpen) expiry.clear();
      }
    },
    close: () => pools.close(),
  };
}

/**
 * Returns why a URL can never be called, by its text alone; undefined if it may be called. For checks when a URL is
 * registered.
 */
export function checkUrl(url: string, { allowPrivate = false } = {}): SafeFetchFailure | undefined {
  const target = parseTarget(url, allowPrivate);
  if ('ok' in target) return target;
  return target.isLiteral && !isAllowedAddress(target.hostname, allowPrivate) ? blocked() : undefined;
}

/** All addresses of the target, or why none may be called: one bad address among good ones refuses the host. */
async function checkedAddresses(
  target: Target,
  allowPrivate: boolean,
  resolve: Lookup,
  expiry: AbortSignal,
): Promise<string[] | SafeFetchFailure> {
  let addresses: readonly string[];
  try {
    addresses = target.isLiteral ? [target.hostname] : await unlessExpired(resolve(target.hostname), expiry);
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    return failure('dns', 'the host name could not be resolved', { cause: error });
  }
  if (addresses.length === 0) return failure('dns', 'the host has no address');
  return addresses.every((address) => isAllowedAddress(address, allowPrivate)) ? [...addresses] : blocked();
}

function blocked(): SafeFetchFailure {
  return failure('blocked_address', 'the host may not be called');
}

function isOverloaded(pool: Pool, queuedMax: number): boolean {
  return pool.stats.queued >= queuedMax;
}

function toRequest(target: Target, { method = 'GET', headers = {}, body }: SafeFetchInit): OutgoingRequest {
  for (const name of Object.keys(headers)) {
    invariant(!reservedHeaders.has(name.toLowerCase()), `the header ${name} is not the caller's`);
  }
  return { method, path: target.path, headers, ...(body === undefined ? {} : { body }) };
}

/** A signal that aborts at the deadline or with the caller's signal, its reason a FailureError. */
function startExpiry(timeoutMs: number, signal: AbortSignal | undefined): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new FailureError(failure('timeout', `no complete answer within ${timeoutMs} ms`)));
  }, timeoutMs);
  const cancel = () => controller.abort(new FailureError(failure('canceled', 'the request was canceled')));
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    },
  };
}

function unlessExpired<T>(promise: Promise<T>, expiry: AbortSignal): Promise<T> {
  if (expiry.aborted) return Promise.reject(expiry.reason);
  return new Promise((resolve, reject) => {
    const onExpiry = () => reject(expiry.reason);
    expiry.addEventListener('abort', onExpiry, { once: true });
    promise.then(resolve, reject).finally(() => expiry.removeEventListener('abort', onExpiry));
  });
}

let shared: SafeFetchClient | undefined;

/** One request through the process's shared connections. */
export function safeFetch(url: string, init?: SafeFetchInit): Promise<SafeFetchResult> {
  shared ??= createSafeFetch();
  return shared.fetch(url, init);
}

/** Ends the shared connections; the next `safeFetch` opens new ones. */
export async function closeSafeFetch(): Promise<void> {
  const client = shared;
  shared = undefined;
  await client?.close();
}
