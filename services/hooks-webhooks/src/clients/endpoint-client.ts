import { createSafeFetch, type SafeFetchOptions, type SafeFetchResult } from '@tollgate/safe-fetch';
import type { AttemptResult } from '../domain/webhooks/delivery.js';

/** The status decides, also when the body is too long, late or broken: it is only displayed. */
const RESPONSE_BYTES_MAX = 65_536;
const SHOWN_CHARACTERS_MAX = 2_000;
/** Hosts whose connections are kept between attempts. */
const ORIGINS_MAX = 2_048;

/** One POST to an owner's endpoint. */
export interface EndpointRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Timeout of the whole exchange. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** The result of an attempt; `responseBody` is truncated. */
export type EndpointAnswer = AttemptResult & { responseBody?: string };

/** Calls URLs that owners supply. Never rejects: it returns failures as answers. */
export interface EndpointClient {
  post(request: EndpointRequest): Promise<EndpointAnswer>;
  stop(): Promise<void>;
}

export interface EndpointClientOptions {
  allowPrivate: boolean;
  /** Concurrent requests over all endpoints. */
  concurrency: number;
  /** Default: the operating system's resolver. */
  names?: NameOptions | undefined;
}

/** How host names are resolved. */
export type NameOptions = Pick<SafeFetchOptions, 'lookup' | 'lookupTtlMs'>;

export function createEndpointClient({ allowPrivate, concurrency, names }: EndpointClientOptions): EndpointClient {
  // Endpoints may share a host; a hanging endpoint must not use up the connections of a healthy one.
  const client = createSafeFetch({ connectionsPerOrigin: concurrency, originsMax: ORIGINS_MAX, ...names });
  return {
    async post({ url, ...init }) {
      const limits = { maxResponseBytes: RESPONSE_BYTES_MAX, oversize: 'truncate', broken: 'truncate' } as const;
      return toAnswer(await client.fetch(url, { method: 'POST', allowPrivate, ...limits, ...init }));
    },
    stop: () => client.close(),
  };
}

function toAnswer(result: SafeFetchResult): EndpointAnswer {
  if (result.ok) {
    const retryAfter = result.headers['retry-after'];
    return {
      kind: 'answered',
      status: result.status,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      responseBody: result.body.toString('utf8').slice(0, SHOWN_CHARACTERS_MAX),
    };
  }
  return result.reason === 'canceled' ? { kind: 'interrupted' } : { kind: 'unreachable', error: result.message };
}
