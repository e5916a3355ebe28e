import { ExactNumber, parseExactJson, writeExactJson } from '@tollgate/runtime/exact-json';
/** A JSON document. Where its text was read with `parseJson`, a number may be an `ExactNumber`, which is written as it was read. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Number);
}

/** Parses JSON whose values are passed on: numbers keep their spelling where `writeJson` writes them. @throws SyntaxError */
export function parseJson(text: string): Json {
  return parseExactJson(text) as Json;
}

export function writeJson(value: Json): string {
  return writeExactJson(value);
}

/** Copies a document, with its exact numbers: `structuredClone` would lose their digits. */
export function copyJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) setMember(copy, key, copyJson(member));
  return copy;
}

/** Compares documents by value; the order of members is irrelevant. 1.0 equals 1, and 9007199254740993 does not equal 9007199254740992. */
export function equalsJson(a: Json, b: Json): boolean {
  if (isNumber(a)) return isNumber(b) && toDecimal(a) === toDecimal(b);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equalsJson(item, b[i]!));
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && equalsJson(a[name]!, b[name]!));
}

function isNumber(value: Json): value is number {
  return typeof value === 'number' || (value as unknown) instanceof ExactNumber;
}

/** Returns the significant digits and the exponent of the last one, the same for every spelling of a number. */
function toDecimal(value: number): string {
  const text = (value as unknown) instanceof ExactNumber ? (value as unknown as ExactNumber).text : String(value);
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  let length = digits.length;
  while (digits[length - 1] === '0') length--;
  if (length === 0) return '0';
  const last = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - length);
  return `${mantissa.startsWith('-') ? '-' : ''}${digits.slice(0, length)}e${last}`;
}

/** Sets a member whose key comes from a caller. `__proto__` is set as data and does not change the prototype. */
export function setMember(target: JsonObject, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
