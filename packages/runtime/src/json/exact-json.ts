import { randomUUID } from 'node:crypto';

/** Only a number with so many digits or such an exponent can lose digits; JSON without one is parsed as usual. */
const MAYBE_INEXACT = /[\d.]{16}|[eE][+-]?\d{3}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SIGNIFICANT_DIGITS_MAX = 15;
/** Starts the text that stands for a number while JSON is read or written; no input can contain it. */
const MARK = `exact-number:${randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}([-+.0-9eE]+)"`, 'g');

let isWritingExactly = false;

/**
 * A JSON number that JavaScript's numbers cannot represent. `writeExactJson` writes it as it was read. Other code sees it rounded, as
 * does another thread, to which a `Number` is copied without its spelling.
 */
export class ExactNumber extends Number {
  readonly text: string;

  constructor(text: string) {
    super(text);
    this.text = text;
  }

  toJSON(): unknown {
    return isWritingExactly ? MARK + this.text : this.valueOf();
  }
}

/**
 * Parses JSON like `JSON.parse`; numbers that would lose digits become an `ExactNumber`, for values that are passed on unread.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!MAYBE_INEXACT.test(text)) return JSON.parse(text);
  const marked = markNumbers(text);
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  );
}

/** Writes JSON like `JSON.stringify`, with each `ExactNumber` as it was read. */
export function writeExactJson(value: unknown): string {
  isWritingExactly = true;
  try {
    const json = JSON.stringify(value);
    return json?.includes(MARK) ? json.replace(MARKED, '$1') : json;
  } finally {
    isWritingExactly = false;
  }
}

/** Quotes the numbers that would lose digits. Text that is not JSON stays invalid. */
function markNumbers(text: string): string {
  let marked = '';
  let copied = 0;
  let i = 0;
  while (i < text.length) {
    const char = text[i]!;
    if (char === '"') {
      i = endOfString(text, i);
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = i;
      const number = NUMBER.exec(text)?.[0];
      if (number === undefined || !isValid(number)) return text;
      if (isInexact(number)) {
        marked += `${text.slice(copied, i)}"${MARK}${number}"`;
        copied = i + number.length;
      }
      i += number.length;
    } else {
      i++;
    }
  }
  return marked + text.slice(copied);
}

/** JSON allows no leading zeros. */
function isValid(number: string): boolean {
  return !/^-?0\d/.test(number);
}

function isInexact(number: string): boolean {
  const value = Number(number);
  if (Number.isSafeInteger(value) && /^-?\d+$/.test(number)) return false;
  if (!Number.isFinite(value)) return true;
  // JavaScript writes it again as it was read.
  if (String(value) === number) return false;
  const [digits = '', exponent = '0'] = number.toLowerCase().split('e');
  const significant = digits.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  return (
    significant.length > SIGNIFICANT_DIGITS_MAX ||
    (value === 0 && significant !== '') ||
    Math.abs(Number(exponent)) > 290
  );
}

/** Returns the index after the closing quote. */
function endOfString(text: string, from: number): number {
  for (let i = text.indexOf('"', from + 1); i !== -1; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text[i - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return i + 1;
  }
  return text.length;
}
