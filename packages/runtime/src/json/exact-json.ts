import { randomUUID } from 'node:crypto';

/** Only a number with so many digits or such an exponent can lose digits; JSON without one is parsed as usual. */
export const MAYBE_INEXACT = /[\d.]{16}|[eE][+-]?\d{3}/;
/** Starts the text that stands for a number while JSON is read or written; no input can contain it. */
export const MARK = `exact-number:${randomUUID()}:`;
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
  const marked = markNumbers(text, MARK);
  if (marked === text) return JSON.parse(text);
  return fromMarked(JSON.parse(marked), MARK);
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

/**
 * Puts an `ExactNumber` in the place of each number that `markNumbers` has quoted, in place. Returns the value. Threads need it: the
 * spelling of a `Number` is not copied to them.
 */
export function fromMarked(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, member] of Object.entries(value)) {
    const unmarked = fromMarked(member, mark);
    if (unmarked !== member) setOwn(value, name, unmarked);
  }
  return value;
}

/** The opposite of `fromMarked`; copies what holds such a number, and returns other values themselves. */
export function toMarked(value: unknown, mark: string): unknown {
  if (value instanceof ExactNumber) return mark + value.text;
  if (typeof value !== 'object' || value === null) return value;
  let copy: object | undefined;
  for (const [name, member] of Object.entries(value)) {
    const marked = toMarked(member, mark);
    if (marked === member) continue;
    copy ??= Array.isArray(value) ? [...value] : Object.defineProperties({}, Object.getOwnPropertyDescriptors(value));
    setOwn(copy, name, marked);
  }
  return copy ?? value;
}

/** An assignment to `__proto__` would replace the prototype. */
function setOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Quotes the numbers that would lose digits, with the mark before them. Text that is not JSON stays invalid. */
export function markNumbers(text: string, mark: string): string {
  const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  const digitsMax = 15;
  const isInexact = (number: string): boolean => {
    const value = Number(number);
    if (Number.isSafeInteger(value) && /^-?\d+$/.test(number)) return false;
    if (!Number.isFinite(value)) return true;
    // JavaScript writes it again as it was read.
    if (String(value) === number) return false;
    const [digits = '', exponent = '0'] = number.toLowerCase().split('e');
    const significant = digits.replace(/[-.]/g, '').replace(/^0+/, '');
    let length = significant.length;
    // The pattern /0+$/ would take quadratic time for many zeros before another digit.
    while (significant[length - 1] === '0') length--;
    return length > digitsMax || (value === 0 && length > 0) || Math.abs(Number(exponent)) > 290;
  };
  /** Returns the index after the closing quote. */
  const endOfString = (from: number): number => {
    for (let i = text.indexOf('"', from + 1); i !== -1; i = text.indexOf('"', i + 1)) {
      let slashes = 0;
      while (text[i - 1 - slashes] === '\\') slashes++;
      if (slashes % 2 === 0) return i + 1;
    }
    return text.length;
  };
  let marked = '';
  let copied = 0;
  let i = 0;
  while (i < text.length) {
    const char = text[i] as string;
    if (char === '"') i = endOfString(i);
    else if (char === '-' || (char >= '0' && char <= '9')) {
      numbers.lastIndex = i;
      const number = numbers.exec(text)?.[0];
      // JSON allows no leading zeros.
      if (number === undefined || /^-?0\d/.test(number)) return text;
      if (isInexact(number)) {
        marked += `${text.slice(copied, i)}"${mark}${number}"`;
        copied = i + number.length;
      }
      i += number.length;
    } else i++;
  }
  return marked + text.slice(copied);
}
