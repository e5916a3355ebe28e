import type { Logger } from '@tollgate/runtime';
import { createClient } from 'redis';
import { type CachedAnswer, ENTRY_BYTES_MAX, type ResponseCache } from './response-cache.js';

const PREFIX = 'tollgate:response:';
const CHECK_KEY = 'tollgate:check:responses';
const CHECK_KEPT_MS = 1_000;
/** Longest wait for a cached answer; after that, the provider is asked. */
const ANSWER_TIMEOUT_MS = 100;

/** Caches answers in Redis, shared by all replicas. */
export class RedisResponseCache implements ResponseCache {
  readonly #client;
  readonly #ttlMs: number;
  /** Of the last connection that failed. */
  #lastError: Error | undefined;

  constructor(url: string, ttlMs: number, logger: Logger) {
    this.#ttlMs = ttlMs;
    this.#client = createClient({
      url,
      disableOfflineQueue: true,
      commandOptions: { timeout: ANSWER_TIMEOUT_MS },
      socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
    });
    let isDown = false;
    this.#client.on('error', (err: Error) => {
      if (!isDown) logger.warn({ err }, 'redis unavailable; response cache disabled');
      isDown = true;
      this.#lastError = err;
    });
    this.#client.on('ready', () => {
      isDown = false;
    });
    this.#client.connect().catch(() => undefined); // reported by the error event; starting never waits for Redis
  }

  /** @throws while Redis is unavailable or accepts no writes, with the reason of the last attempt */
  async check(): Promise<undefined> {
    if (!this.#client.isReady) throw this.#lastError ?? new Error('timeout');
    // A server that is read-only or out of memory answers a ping.
    await this.#client.set(CHECK_KEY, '1', { PX: CHECK_KEPT_MS });
    return undefined;
  }

  async get(key: string): Promise<CachedAnswer | undefined> {
    if (!this.#client.isReady) return undefined;
    try {
      const json = await this.#client.get(PREFIX + key);
      return json === null ? undefined : (JSON.parse(json) as CachedAnswer);
    } catch {
      return undefined;
    }
  }

  async put(key: string, entry: CachedAnswer): Promise<void> {
    const json = JSON.stringify(entry);
    if (!this.#client.isReady || json.length > ENTRY_BYTES_MAX) return;
    await this.#client.set(PREFIX + key, json, { PX: this.#ttlMs }).catch(() => null);
  }

  async stop(): Promise<void> {
    if (this.#client.isOpen) this.#client.destroy();
  }
}
