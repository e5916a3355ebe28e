/** Limits on JSON text that are checked before it is parsed. */
export interface JsonBounds {
  levels: number;
  /** Object members and array elements over all levels. */
  members: number;
  /** Object members over all levels: a parser needs five times as long for one as for an element. */
  names: number;
}

/** The bounds of a request: of an HTTP body, and of a line in the input of a batch. */
export const requestJsonBounds: JsonBounds = {
  levels: 200,
  members: 200_000,
  /**
   * The engine makes a hidden class for each new sequence of names, at about a microsecond a name: this many stop the event loop for
   * 20 to 55 ms. Ten thousand messages of text have 20,000 to 30,000.
   */
  names: 40_000,
};

const VALUE = 0;
const BETWEEN = 1;
const COMMA = 2;
const OPEN = 3;
const CLOSE = 4;
const STRING = 5;
const EXPONENT = 6;
const COLON = 7;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** A number with fewer digits and no exponent fits a double. */
const SAFE_NUMBER_BYTES = 300;
/** For shorter strings a byte loop finds the end faster than `indexOf`. */
const NEAR_BYTES = 64;

const kinds = kindsOfBytes();

export interface JsonScan {
  exceeded: keyof JsonBounds | undefined;
  /** True when the text may contain a number that a parser turns into Infinity. */
  mayOverflow: boolean;
}

/**
 * Scans JSON text before it is parsed: millions of brackets or keys cost little here but gigabytes in a parser. Does
 * not validate the text.
 */
export function scanJson(text: Uint8Array, bounds: JsonBounds): JsonScan {
  let levels = 0;
  let members = 0;
  let names = 0;
  let isOpened = false;
  let valueBytes = 0;
  let mayOverflow = false;
  for (let i = 0; i < text.length; i++) {
    const kind = kinds[text[i]!];
    if (kind === VALUE || kind === EXPONENT) {
      if (++valueBytes > SAFE_NUMBER_BYTES || (kind === EXPONENT && isDigit(text[i - 1]))) mayOverflow = true;
      if (!isOpened) continue;
    } else {
      valueBytes = 0;
    }
    if (kind === BETWEEN) continue;
    if (kind === COLON) {
      if (++names > bounds.names) return { exceeded: 'names', mayOverflow };
      continue;
    }
    if (kind === CLOSE) {
      levels--;
      isOpened = false;
      continue;
    }
    // The first member has no preceding comma.
    if (isOpened || kind === COMMA) {
      if (++members > bounds.members) return { exceeded: 'members', mayOverflow };
      isOpened = false;
    }
    if (kind === STRING) i = endOfString(text, i + 1);
    else if (kind === OPEN) {
      if (++levels > bounds.levels) return { exceeded: 'levels', mayOverflow };
      isOpened = true;
    }
  }
  return { exceeded: undefined, mayOverflow };
}

/** From this size on, a text of few values is mostly long strings. */
const MOSTLY_TEXT_BYTES_MIN = 1024 * 1024;
const fewValues: JsonBounds = { levels: 200, members: 20_000, names: 20_000 };

/**
 * Whether JSON text consists of long strings, such as files: each step of reading it takes as long as copying megabytes, and it can
 * be passed between threads quickly.
 */
export function isMostlyText(text: Uint8Array): boolean {
  return text.length >= MOSTLY_TEXT_BYTES_MIN && scanJson(text, fewValues).exceeded === undefined;
}

/** Finds numbers that overflowed while parsing: JSON would store and forward them as null. */
export function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9;
}

/**
 * Returns the position of the closing quote, or the end of the text. `from` is the position after the opening quote.
 */
export function endOfString(text: Uint8Array, from: number): number {
  let i = from;
  while (i < text.length) {
    const near = Math.min(text.length, i + NEAR_BYTES);
    while (i < near) {
      if (text[i] === QUOTE) return i;
      i += text[i] === BACKSLASH ? 2 : 1;
    }
    const quote = text.indexOf(QUOTE, i);
    if (quote === -1) return text.length;
    if (!isEscaped(text, i, quote)) return quote;
    i = quote + 1;
  }
  return i;
}

/** `from` is where an escape may start; backslashes before it are ignored. */
function isEscaped(text: Uint8Array, from: number, at: number): boolean {
  let first = at;
  while (first > from && text[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

function kindsOfBytes(): Uint8Array {
  const table = new Uint8Array(256).fill(VALUE);
  const kindOf = { ' \t\n\r': BETWEEN, ':': COLON, ',': COMMA, '[{': OPEN, ']}': CLOSE, '"': STRING, eE: EXPONENT };
  for (const [characters, kind] of Object.entries(kindOf)) {
    for (const character of characters) table[character.charCodeAt(0)] = kind;
  }
  return table;
}
