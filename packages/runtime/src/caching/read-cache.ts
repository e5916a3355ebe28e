import { type Clock, systemClock } from '../time/clock.js';

export interface ReadCacheOptions<Value> {
  /** The most that all entries count together. */
  sizeMax: number;
  /** What an entry counts, default 1: `sizeMax` is a number of entries. A larger entry than `sizeMax` is not kept. */
  sizeOf?: (value: Value) => number;
  /** Entries older than this are read again in the background while they are still served. Default: `staleMs`. */
  freshMs?: number;
  /** Entries older than this are never served; 0 keeps nothing and only shares reads. Default: no limit. */
  staleMs?: number;
  /** Whether a value may be served, beside its age. Default: always. */
  isCurrent?: (value: Value) => boolean;
  clock?: Pick<Clock, 'elapsed'>;
}

interface Entry<Value> {
  key: string;
  value: Value;
  size: number;
  readMs: number;
  isRefreshing: boolean;
  /** The neighbors in the order of use. */
  older: Entry<Value> | undefined;
  newer: Entry<Value> | undefined;
}

/**
 * Remembers what was read, for a bounded time and within a bounded size. Concurrent misses of one key share one read. Keeps
 * found values only: neither failures nor what does not exist, so that a new row works at once. An age counts from the start of the
 * read, on the clock that never steps.
 */
export class ReadCache<Value extends object> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #reading = new Map<string, Promise<Value | undefined>>();
  readonly #options: ReadCacheOptions<Value>;
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #freshMs: number;
  readonly #staleMs: number;
  #oldest: Entry<Value> | undefined;
  #newest: Entry<Value> | undefined;
  #size = 0;

  constructor(options: ReadCacheOptions<Value>) {
    const { staleMs = Number.POSITIVE_INFINITY, freshMs = staleMs, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#freshMs = freshMs;
    this.#staleMs = staleMs;
  }

  /** Returns a cached value itself, not a promise: awaiting it keeps a hot path in one event-loop iteration. */
  get(key: string, read: () => Promise<Value>): Value | Promise<Value>;
  get(key: string, read: () => Promise<Value | undefined>): Value | Promise<Value | undefined>;
  get(key: string, read: () => Promise<Value | undefined>): Value | Promise<Value | undefined> {
    const entry = this.#entries.get(key);
    if (!entry) return this.#read(key, read);
    const ageMs = this.#freshMs === Number.POSITIVE_INFINITY ? 0 : this.#clock.elapsed() - entry.readMs;
    if (ageMs >= this.#staleMs || this.#options.isCurrent?.(entry.value) === false) return this.#read(key, read);
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#link(entry);
    }
    if (ageMs >= this.#freshMs && !entry.isRefreshing) {
      entry.isRefreshing = true;
      // After a failed refresh the entry becomes stale, and the next caller gets the error.
      this.#read(key, read).catch(() => {
        entry.isRefreshing = false;
      });
    }
    return entry.value;
  }

  /** Keeps a value that the caller has read or written itself. */
  set(key: string, value: Value): void {
    this.#reading.delete(key);
    this.#keep(key, value, this.#clock.elapsed());
  }

  /** Forgets the value, and discards a read in progress, whose value may be outdated. */
  delete(key: string): void {
    this.#remove(this.#entries.get(key));
    this.#reading.delete(key);
  }

  /** Forgets every value whose key matches. */
  deleteWhere(matches: (key: string) => boolean): void {
    for (const keys of [this.#entries.keys(), this.#reading.keys()])
      for (const key of keys) if (matches(key)) this.delete(key);
  }

  #read(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const running = this.#reading.get(key);
    if (running) return running;
    const startedMs = this.#clock.elapsed();
    const reading = read()
      .then((value) => {
        // After a delete() during the read, the value may be outdated.
        if (this.#reading.get(key) !== reading) return value;
        if (value) this.#keep(key, value, startedMs);
        else this.#remove(this.#entries.get(key));
        return value;
      })
      .finally(() => {
        if (this.#reading.get(key) === reading) this.#reading.delete(key);
      });
    this.#reading.set(key, reading);
    return reading;
  }

  #keep(key: string, value: Value, readMs: number): void {
    this.#remove(this.#entries.get(key));
    const { sizeMax, sizeOf } = this.#options;
    const size = sizeOf?.(value) ?? 1;
    if (this.#staleMs <= 0 || size > sizeMax) return;
    while (this.#size + size > sizeMax) this.#remove(this.#oldest);
    const entry = { key, value, size, readMs, isRefreshing: false, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#size += size;
    this.#link(entry);
  }

  #remove(entry: Entry<Value> | undefined): void {
    if (!entry) return;
    this.#entries.delete(entry.key);
    this.#size -= entry.size;
    this.#unlink(entry);
  }

  /** Makes an entry the newest. */
  #link(entry: Entry<Value>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }

  #unlink({ older, newer }: Entry<Value>): void {
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
  }
}
