import { JSONParser } from '@streamparser/json';

export interface Field {
  name: string;
  value: unknown;
}

/**
 * Parses a JSON document while it is written, and returns each field of its top-level object once its value is complete.
 * Returns none for a document that is not an object, or not JSON.
 */
export class TopLevelFields {
  readonly #parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  #found: Field[] = [];
  #isObject: boolean | undefined;
  #isBroken = false;
  /** First half of a surrogate pair that the next piece completes. */
  #half = '';

  constructor() {
    keepByteOrderMarks(this.#parser);
    this.#parser.onValue = ({ key, value }) => {
      if (this.#isObject) this.#found.push({ name: String(key), value });
    };
    this.#parser.onError = () => {
      this.#isBroken = true;
    };
    this.#parser.onEnd = () => {
      this.#isBroken = true; // ignore everything after the document
    };
  }

  /** Returns the fields that this piece completes, in their order. */
  write(piece: string): Field[] {
    const text = this.#whole(piece);
    this.#isObject ??= /^\s*$/.test(text) ? undefined : /^\s*\{/.test(text);
    if (text !== '' && !this.#isBroken && this.#isObject !== false) this.#parser.write(text);
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Withholds half a surrogate pair: the parser reads UTF-8, which cannot encode it. */
  #whole(piece: string): string {
    const text = this.#half + piece;
    const isCut = /[\uD800-\uDBFF]$/.test(text);
    this.#half = isCut ? text.slice(-1) : '';
    return isCut ? text.slice(0, -1) : text;
  }
}

/**
 * The parser drops a byte order mark at the start of a string, where it is a character like any other. It has no option for its
 * decoder, so the decoder is replaced.
 */
function keepByteOrderMarks(parser: JSONParser): void {
  const text: object = Reflect.get(Reflect.get(parser, 'tokenizer'), 'bufferedString');
  Reflect.set(text, 'decoder', new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));
}
