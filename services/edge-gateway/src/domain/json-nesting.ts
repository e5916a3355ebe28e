const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Whether JSON text nests deeper than `levels`. Looks before anything is built from it: millions of brackets cost
 * nothing here and gigabytes in a parser. Says nothing about whether the text is valid.
 */
export function isNestedDeeperThan(levels: number, text: Uint8Array): boolean {
  if (text.length <= levels) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === QUOTE) i = endOfString(text, i + 1);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > levels) return true;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** Position of the closing quote, or the end of the text. */
function endOfString(text: Uint8Array, from: number): number {
  let i = from;
  while (i < text.length && text[i] !== QUOTE) i += text[i] === BACKSLASH ? 2 : 1;
  return i;
}
