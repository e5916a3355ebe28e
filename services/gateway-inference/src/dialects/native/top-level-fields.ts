import { JSONParser } from '@streamparser/json';

export interface Field {
  name: string;
  value: unknown;
}

/**
 * Reads a JSON document as it is written and tells every field of its top-level object once its value is complete. A
 * document that is not an object, or not JSON, tells none.
 */
export class TopLevelFields {
  readonly #parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  #found: Field[] = [];
  #isObject: boolean | undefined;
  #isBroken = false;
  /** The first half of a character that the next piece completes. */
  #half = '';

  constructor() {
    this.#parser.onValue = ({ key, value }) => {
      if (this.#isObject) this.#found.push({ name: String(key), value });
    };
    this.#parser.onError = () => {
      this.#isBroken = true;
    };
    this.#parser.onEnd = () => {
      this.#isBroken = true; // nothing that follows the document belongs to it
    };
  }

  /** The fields that this piece completes, in their order. */
  write(piece: string): Field[] {
    const text = this.#whole(piece);
    this.#isObject ??= /^\s*$/.test(text) ? undefined : /^\s*\{/.test(text);
    if (text !== '' && !this.#isBroken && this.#isObject !== false) this.#parser.write(text);
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** The parser reads UTF-8, in which half a character cannot be written. */
  #whole(piece: string): string {
    const text = this.#half + piece;
    const isCut = /[\uD800-\uDBFF]$/.test(text);
    this.#half = isCut ? text.slice(-1) : '';
    return isCut ? text.slice(0, -1) : text;
  }
}
