import { atMost, type Clock } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';

export interface LookupCacheOptions {
  entriesMax: number;
  /** Entries older than this are refreshed in the background while they are still served. */
  freshMs: number;
  /** Entries older than this are never served. */
  staleMs: number;
  clock: Clock;
}

interface Entry<V> {
  value: V;
  loadedMs: number;
  isRefreshing: boolean;
}

/**
 * Read-through cache with a hard bound on age. Stores found values only, so that a new key works at once. Concurrent
 * misses of one key share one load.
 */
export class LookupCache<V extends object> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #loading = new Map<string, Promise<V | undefined>>();
  readonly #options: LookupCacheOptions;

  constructor(options: LookupCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache(atMost(options.entriesMax));
  }

  /** Returns a cached value itself, not a promise: awaiting it keeps the hot path in one event-loop iteration. */
  get(key: string, load: () => Promise<V | undefined>): V | Promise<V | undefined> {
    const entry = this.#entries.get(key);
    if (!entry) return this.#load(key, load);
    const ageMs = this.#options.clock.elapsed() - entry.loadedMs;
    if (ageMs < this.#options.freshMs) return entry.value;
    if (ageMs >= this.#options.staleMs) return this.#load(key, load);
    if (!entry.isRefreshing) {
      entry.isRefreshing = true;
      // After a failed refresh the entry becomes stale, and the next caller gets the error.
      this.#load(key, load).catch(() => {
        entry.isRefreshing = false;
      });
    }
    return entry.value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
    this.#loading.delete(key);
  }

  #load(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const running = this.#loading.get(key);
    if (running) return running;
    const startedMs = this.#options.clock.elapsed();
    const loading = load()
      .then((value) => {
        // After a delete() during the load, the loaded value may be outdated.
        if (this.#loading.get(key) !== loading) return value;
        if (value) this.#entries.set(key, { value, loadedMs: startedMs, isRefreshing: false });
        else this.#entries.delete(key);
        return value;
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }
}
