import { StringDecoder } from 'node:string_decoder';

const BYTE_ORDER_MARK = '\uFEFF';

/** Decodes a body of UTF-8 that comes in pieces, without the byte order mark that some servers begin with. */
export class Utf8Text {
  readonly #decoder = new StringDecoder('utf8');
  #hasBegun = false;

  decode(chunk: Buffer): string {
    const text = this.#decoder.write(chunk);
    if (this.#hasBegun || text === '') return text;
    this.#hasBegun = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}
