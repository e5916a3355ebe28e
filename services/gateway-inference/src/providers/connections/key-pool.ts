import type { Authorizer } from '../contract/authorizer.js';

/** A key of a connection, as requests use it. */
export interface PooledKey {
  readonly authorizer: Authorizer;
  readonly weight: number;
}

/** Distributes requests over the keys of a connection by their weights, in an order that repeats and that interleaves the keys. */
export class KeyPool {
  readonly #keys: readonly (PooledKey & { credit: number })[];
  readonly #weight: number;

  /** `keys`: at least one. */
  constructor(keys: readonly PooledKey[]) {
    this.#keys = keys.map((key) => ({ ...key, credit: 0 }));
    this.#weight = keys.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Returns the key of the next request. */
  take(): PooledKey {
    let chosen = this.#keys[0]!;
    if (this.#keys.length === 1) return chosen;
    for (const key of this.#keys) {
      key.credit += key.weight;
      if (key.credit > chosen.credit) chosen = key;
    }
    chosen.credit -= this.#weight;
    return chosen;
  }
}
