import { isJsonObject, type Json, setMember } from './json.js';

// RFC 6901. The maintained libraries do not fit documents of callers: they read inherited members or indexes such as
// `01`, leave gaps in arrays, or let `__proto__` change the prototype.

const SYNTAX = /^(\/([^~/]|~[01])*)*$/;
const ARRAY_INDEX = /^(0|[1-9]\d*)$/;

/** Whether the text is a JSON Pointer: empty, or `/`-separated tokens with `~0` and `~1` escapes. */
export function isPointer(text: string): boolean {
  return SYNTAX.test(text);
}

export function pointerTokens(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export type Resolved = { found: true; value: Json } | { found: false };

const NOTHING: Resolved = { found: false };

/** Returns the value at the pointer. Reads own members only; `-` finds nothing. */
export function resolvePointer(document: Json, pointer: string): Resolved {
  let value = document;
  for (const token of pointerTokens(pointer)) {
    const next = step(value, token);
    if (!next.found) return NOTHING;
    value = next.value;
  }
  return { found: true, value };
}

/**
 * Sets the value at the pointer, in place: replaces a member or an array entry, adds a member, or appends to an array
 * (`-` or its length). Returns false when the parent does not exist or an index is out of range.
 */
export function assignAtPointer(document: Json, pointer: string, value: Json): boolean {
  const tokens = pointerTokens(pointer);
  const last = tokens.pop();
  if (last === undefined) return false;
  let parent = document;
  for (const token of tokens) {
    const next = step(parent, token);
    if (!next.found) return false;
    parent = next.value;
  }
  if (Array.isArray(parent)) return assignInArray(parent, last, value);
  if (!isJsonObject(parent)) return false;
  setMember(parent, last, value);
  return true;
}

function assignInArray(array: Json[], token: string, value: Json): boolean {
  const index = token === '-' ? array.length : ARRAY_INDEX.test(token) ? Number(token) : -1;
  if (index < 0 || index > array.length) return false;
  array[index] = value;
  return true;
}

function step(value: Json, token: string): Resolved {
  if (Array.isArray(value)) {
    if (!ARRAY_INDEX.test(token) || Number(token) >= value.length) return NOTHING;
    return { found: true, value: value[Number(token)] as Json };
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, token)) return NOTHING;
  return { found: true, value: value[token] as Json };
}
