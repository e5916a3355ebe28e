import { createSafeFetch, type SafeFetchFailure, type SafeFetchResult } from '@tollgate/safe-fetch';
import type { HookReply } from '../domain/tool-hooks/hook-answer.js';
import type { NameOptions } from './endpoint-client.js';

const RESPONSE_BYTES_MAX = 1_048_576;
const CONNECTIONS_PER_ORIGIN = 256;
/** Failures that a retry cannot change, or that occur after the hook responded. */
const finalReasons: ReadonlySet<SafeFetchFailure['reason']> = new Set(['too_large', 'invalid_url', 'blocked_address']);

/** One request to an owner's hook. */
export interface HookRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Timeout of the whole exchange. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** Calls hooks. Never rejects: it returns failures as replies. */
export interface HookClient {
  ask(request: HookRequest): Promise<HookReply>;
  stop(): Promise<void>;
}

export interface HookClientOptions {
  allowPrivate: boolean;
  names?: NameOptions | undefined;
}

/** Uses separate connections: requests wait for hooks, so webhooks must not delay them. */
export function createHookClient({ allowPrivate, names }: HookClientOptions): HookClient {
  const client = createSafeFetch({ connectionsPerOrigin: CONNECTIONS_PER_ORIGIN, ...names });
  return {
    async ask({ url, ...init }) {
      const limits = { maxResponseBytes: RESPONSE_BYTES_MAX, oversize: 'fail' } as const;
      return toReply(await client.fetch(url, { method: 'POST', allowPrivate, ...limits, ...init }));
    },
    stop: () => client.close(),
  };
}

function toReply(result: SafeFetchResult): HookReply {
  if (result.ok) return { kind: 'answered', status: result.status, body: result.body };
  const { reason, message } = result;
  if (reason === 'canceled') return { kind: 'canceled' };
  return {
    kind: 'unreachable',
    error: message,
    isTimeout: reason === 'timeout',
    isRetryable: !finalReasons.has(reason),
  };
}
