import { parseExactJson, writeExactJson } from '@tollgate/runtime/exact-json';
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

/** Sets a member whose key comes from a caller. `__proto__` is set as data and does not change the prototype. */
export function setMember(target: JsonObject, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
