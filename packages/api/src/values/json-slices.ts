import { endOfString } from './json-bounds.js';

/**
 * Names per slice. The engine makes a hidden class for each new sequence of names, at about a microsecond a name: a hundred
 * thousand names take a tenth of a second.
 */
const SLICE_NAMES = 5_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Parses a piece. */
type Parse = (text: string) => unknown;

/** Positions of the brackets of the arrays and objects with more names than a slice: of the closing by the opening one. */
type LargeContainers = ReadonlyMap<number, number>;

/**
 * Parses UTF-8 as `parse` does, in slices of some milliseconds: yields after each. A text of few names is one slice.
 *
 * @throws SyntaxError
 */
export function* parseInSlices(text: Uint8Array, parse: Parse = JSON.parse): Generator<void, unknown> {
  const large = findLarge(text);
  const open = text.findIndex((byte) => !SPACES.has(byte));
  const close = large.get(open);
  if (close === undefined) return parse(toText(text, 0, text.length));
  requireSpaces(text, close + 1, text.length);
  return yield* parseContainer(text, open, close, { large, parse });
}

/** @throws SyntaxError for brackets that do not match */
function findLarge(text: Uint8Array): LargeContainers {
  const large = new Map<number, number>();
  const opened: { at: number; namesBefore: number }[] = [];
  let names = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === QUOTE) i = endOfString(text, i + 1);
    else if (byte === COLON) names++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) opened.push({ at: i, namesBefore: names });
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      const last = opened.pop();
      if (!last || (text[last.at] === OPEN_ARRAY) !== (byte === CLOSE_ARRAY)) throw invalid();
      if (names - last.namesBefore > SLICE_NAMES) large.set(last.at, i);
    }
  }
  if (opened.length > 0) throw invalid();
  return large;
}

function* parseContainer(
  text: Uint8Array,
  open: number,
  close: number,
  { large, parse }: { large: LargeContainers; parse: Parse },
): Generator<void, unknown> {
  const container = text[open] === OPEN_ARRAY ? new ArrayParts(parse) : new ObjectParts(parse);
  let pieceFrom = open + 1;
  let memberFrom = pieceFrom;
  let names = 0;
  let depth = 0;
  let isAfterLarge = false;
  for (let i = open + 1; i < close; i++) {
    const byte = text[i];
    if (byte === QUOTE) i = endOfString(text, i + 1);
    else if (byte === COLON) names++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      const end = large.get(i);
      if (end === undefined) {
        depth++;
        continue;
      }
      // All containers around a large one are large, so this one is directly below.
      if (isAfterLarge) throw invalid();
      if (memberFrom > pieceFrom) container.addPiece(toText(text, pieceFrom, memberFrom - 1));
      const before = toText(text, memberFrom, i);
      yield;
      container.addValue(before, yield* parseContainer(text, i, end, { large, parse }));
      i = end;
      memberFrom = end + 1;
      names = 0;
      isAfterLarge = true;
    } else if (byte === COMMA && depth === 0) {
      if (isAfterLarge) requireSpaces(text, memberFrom, i);
      else if (names >= SLICE_NAMES) {
        container.addPiece(toText(text, pieceFrom, i));
        yield;
      }
      if (isAfterLarge || names >= SLICE_NAMES) {
        pieceFrom = i + 1;
        names = 0;
        isAfterLarge = false;
      }
      memberFrom = i + 1;
    }
  }
  if (isAfterLarge) requireSpaces(text, memberFrom, close);
  else container.addPiece(toText(text, pieceFrom, close));
  return container.value;
}

/** `addPiece` takes one or more elements with the commas between them, `addValue` one element and the text before it. */
class ArrayParts {
  readonly value: unknown[] = [];

  constructor(readonly parse: Parse) {}

  addPiece(text: string): void {
    const elements = this.parse(`[${text}]`) as unknown[];
    if (elements.length === 0) throw invalid();
    for (const element of elements) this.value.push(element);
  }

  addValue(before: string, element: unknown): void {
    if (before.trim() !== '') throw invalid();
    this.value.push(element);
  }
}

class ObjectParts {
  readonly value: Record<string, unknown> = {};

  constructor(readonly parse: Parse) {}

  addPiece(text: string): void {
    const members = Object.entries(this.parse(`{${text}}`) as object);
    if (members.length === 0) throw invalid();
    for (const [name, value] of members) this.#set(name, value);
  }

  addValue(before: string, value: unknown): void {
    const [name] = Object.keys(JSON.parse(`{${before}null}`));
    if (name === undefined) throw invalid();
    this.#set(name, value);
  }

  /** An assignment to `__proto__` would replace the prototype. */
  #set(name: string, value: unknown): void {
    if (name !== '__proto__') this.value[name] = value;
    else Object.defineProperty(this.value, name, { value, writable: true, enumerable: true, configurable: true });
  }
}

function toText(text: Uint8Array, from: number, to: number): string {
  return Buffer.from(text.buffer, text.byteOffset + from, to - from).toString('utf8');
}

function requireSpaces(text: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) if (!SPACES.has(text[i] as number)) throw invalid();
}

function invalid(): SyntaxError {
  return new SyntaxError('invalid JSON');
}
