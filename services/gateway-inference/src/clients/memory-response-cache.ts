import { LRUCache } from 'lru-cache';
import { type CachedAnswer, ENTRY_BYTES_MAX, type ResponseCache } from './response-cache.js';

const BYTES_MAX = 64 * 1024 * 1024;

/** Caches answers in this process only. */
export class MemoryResponseCache implements ResponseCache {
  readonly #entries: LRUCache<string, string>;

  constructor(ttlMs: number) {
    this.#entries = new LRUCache({
      ttl: ttlMs,
      maxSize: BYTES_MAX,
      maxEntrySize: ENTRY_BYTES_MAX,
      sizeCalculation: (json) => json.length * 2 + 128,
    });
  }

  async get(key: string): Promise<CachedAnswer | undefined> {
    const json = this.#entries.get(key);
    return json === undefined ? undefined : (JSON.parse(json) as CachedAnswer);
  }

  async put(key: string, entry: CachedAnswer): Promise<void> {
    this.#entries.set(key, JSON.stringify(entry));
  }

  async stop(): Promise<void> {
    this.#entries.clear();
  }
}
