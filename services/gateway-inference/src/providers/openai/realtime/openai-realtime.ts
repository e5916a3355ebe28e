import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { ProviderId } from '@tollgate/api/model-requests';
import { WebSocket } from 'ws';
import { ProviderFailure } from '../../../domain/provider-failure.js';
import type { KeyPool, PooledKey } from '../../connections/key-pool.js';
import type { OutgoingRequest } from '../../contract/authorizer.js';
import type { RealtimeCall, RealtimeConnection, RealtimeProvider } from '../../contract/realtime-provider.js';
import { toFailure } from '../upstream-error.js';
import { RealtimeSocket } from './realtime-socket.js';

const EVENT_BYTES_MAX = 32 * 1024 * 1024;
const ERROR_BYTES_MAX = 64 * 1024;

export interface RealtimeOptions {
  id: ProviderId;
  /** The vendor's base URL, for example `https://api.openai.com/v1`. */
  baseUrl: string;
  /** A flat list. */
  headers: readonly string[];
  keys: KeyPool;
  connectTimeoutMs: number;
  lookup?: LookupFunction | undefined;
}

/**
 * Sessions of OpenAI's Realtime API (GA interface).
 *
 * Source: `realtime/ws.ts` and `realtime/internal-base.ts` of the `openai` client library 6.49.
 */
export class OpenAiRealtime implements RealtimeProvider {
  readonly #options: RealtimeOptions;

  constructor(options: RealtimeOptions) {
    this.#options = options;
  }

  get id(): ProviderId {
    return this.#options.id;
  }

  async connect({ upstreamModel, signal }: RealtimeCall): Promise<RealtimeConnection> {
    const { connectTimeoutMs, lookup, keys, headers } = this.#options;
    const address = toAddress(this.#options.baseUrl, upstreamModel);
    const { origin, pathname, search } = address;
    const sent = { method: 'GET', origin, path: pathname + search, headers, body: '' } as const;
    const key = keys.take();
    const added = await this.#authorize(key, sent);
    const socket = new WebSocket(address, {
      headers: toHeaders([...headers, ...added]),
      handshakeTimeout: connectTimeoutMs,
      maxPayload: EVENT_BYTES_MAX,
      perMessageDeflate: false,
      followRedirects: false,
      ...(lookup && { lookup }),
    });
    const connection = new RealtimeSocket(socket);
    const abort = (): void => socket.terminate();
    return new Promise((resolve, reject) => {
      const settle = (): void => signal.removeEventListener('abort', abort);
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      socket.once('open', () => {
        settle();
        resolve(connection);
      });
      socket.once('unexpected-response', (_request, response) => {
        settle();
        keys.answered(key, response.statusCode ?? 500, response.headers);
        void this.#refused(response).then((failure) => {
          socket.terminate();
          reject(failure);
        });
      });
      socket.once('error', (cause) => {
        settle();
        const kind = /timed out/i.test(cause.message) ? 'timeout' : 'transport';
        reject(new ProviderFailure({ kind, provider: this.id, cause }));
      });
    });
  }

  /** @throws ProviderFailure if no credential can be obtained with the key */
  async #authorize(key: PooledKey, request: OutgoingRequest): Promise<readonly string[]> {
    try {
      return await key.authorizer.authorize(request);
    } catch (cause) {
      this.#options.keys.unauthorized(key);
      throw new ProviderFailure({ kind: 'unauthorized', provider: this.id, cause });
    }
  }

  async #refused(response: IncomingMessage): Promise<ProviderFailure> {
    const status = response.statusCode ?? 500;
    let body = '';
    try {
      for await (const chunk of response) {
        body += String(chunk);
        if (body.length > ERROR_BYTES_MAX) break;
      }
    } catch {
      // The status says enough.
    }
    return toFailure(this.id, status, response.headers, body);
  }
}

function toAddress(baseUrl: string, model: string): URL {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/realtime`);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  url.searchParams.set('model', model);
  return url;
}

function toHeaders(flat: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) headers[flat[i]!] = flat[i + 1]!;
  return headers;
}
