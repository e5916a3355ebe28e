import { parseExactJson, writeExactJson } from '@tollgate/runtime/exact-json';
import { endOfString } from '@tollgate/runtime/json-bounds';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns the bytes of the named top-level members' values, so that they are forwarded as they were sent. Of a name that
 * occurs twice the last value counts, as in `JSON.parse`.
 *
 * @param text a JSON object that was parsed before: nothing is validated here
 */
export function readMembers<N extends string>(text: Buffer, names: readonly N[]): Partial<Record<N, Buffer>> {
  const found: Partial<Record<N, Buffer>> = {};
  let levels = 0;
  let name: N | undefined;
  /** Where the value of the current member starts; undefined before its colon. */
  let start: number | undefined;
  const endMember = (end: number): void => {
    if (name !== undefined) found[name] = text.subarray(start, end);
    name = undefined;
    start = undefined;
  };
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === QUOTE) {
      const end = endOfString(text, i + 1);
      if (levels === 1 && start === undefined) name = findName(text.toString('utf8', i, end + 1), names);
      i = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) levels++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (--levels === 0) endMember(i);
    } else if (levels === 1 && byte === COLON) start = i + 1;
    else if (levels === 1 && byte === COMMA) endMember(i);
  }
  return found;
}

/**
 * Returns a top-level member's value as JSON without white space, in which numbers have the digits that were sent.
 *
 * @param text a JSON object that was parsed before; it has the member
 */
export function readMember(text: Buffer, name: string): string {
  return writeExactJson(parseExactJson(readMembers(text, [name])[name]?.toString('utf8') ?? 'null'));
}

/** Compares the name that the literal stands for: a client may escape its characters. */
function findName<N extends string>(literal: string, names: readonly N[]): N | undefined {
  const name: unknown = JSON.parse(literal);
  return names.find((each) => each === name);
}
