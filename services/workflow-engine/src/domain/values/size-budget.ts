import type { Json } from './json.js';

/**
 * Bounds what copies of one value can grow to: a spec may name the same large output many times. Sizes are UTF-16 units
 * of the JSON, a cheap lower bound of its bytes.
 */
export class SizeBudget {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  /** Takes the size of a value; false once the budget is overdrawn. */
  takes(value: Json): boolean {
    this.#left -= typeof value === 'string' ? value.length : JSON.stringify(value).length;
    return this.#left >= 0;
  }
}
