import { StringDecoder } from 'node:string_decoder';

const BYTE_ORDER_MARK = '\uFEFF';

/** Decodes a UTF-8 body in pieces, without the byte order mark that some servers send first. */
export class Utf8Text {
  readonly #decoder = new StringDecoder('utf8');
  #hasStarted = false;

  decode(chunk: Buffer): string {
    const text = this.#decoder.write(chunk);
    if (this.#hasStarted || text === '') return text;
    this.#hasStarted = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}
