import type { Clock } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';

export interface LookupCacheOptions {
  entriesMax: number;
  /** Answers older than this are refreshed in the background while they still serve. */
  freshMs: number;
  /** Answers older than this are never served. */
  staleMs: number;
  clock: Clock;
}

interface Entry<V> {
  value: V;
  loadedMs: number;
  isRefreshing: boolean;
}

/**
 * Read-through cache with a hard bound on age. Found values only: what is missing is asked for again each time, so that
 * a key works the moment it exists. Concurrent misses of one key share one load.
 */
export class LookupCache<V extends object> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #loading = new Map<string, Promise<V | undefined>>();
  readonly #options: LookupCacheOptions;

  constructor(options: LookupCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.entriesMax });
  }

  /** At once when known (the hot path then stays on this turn of the loop), else a promise. */
  get(key: string, load: () => Promise<V | undefined>): V | Promise<V | undefined> {
    const entry = this.#entries.get(key);
    if (!entry) return this.#load(key, load);
    const ageMs = this.#options.clock.nowMs() - entry.loadedMs;
    if (ageMs < this.#options.freshMs) return entry.value;
    if (ageMs >= this.#options.staleMs) return this.#load(key, load);
    if (!entry.isRefreshing) {
      entry.isRefreshing = true;
      // A failed refresh is not hidden: the entry turns stale and the next caller meets the failure.
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
    const startedMs = this.#options.clock.nowMs();
    const loading = load()
      .then((value) => {
        // A delete() during the load means that what was read may be old.
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
