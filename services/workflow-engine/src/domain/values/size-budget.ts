import type { Json } from './json.js';

/**
 * Limits the total size of copied values, because a spec may refer to the same large output many times. Sizes are
 * UTF-16 units of the JSON, a cheap lower bound of its bytes.
 */
export class SizeBudget {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  /** Subtracts the size of a value. Returns false when the budget is exceeded. */
  takes(value: Json): boolean {
    this.#left -= typeof value === 'string' ? value.length : JSON.stringify(value).length;
    return this.#left >= 0;
  }
}
