import { z } from 'zod';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is refused; not every reader of JSON Schema knows \0
const WITHOUT_NUL = /^[^\x00]*$/;
/** JSON can represent unpaired surrogates, but UTF-8 cannot: they would be stored as other characters. */
const HALF_CHARACTER = /\p{Cs}/u;

/** Text that a database can hold: NUL is the one character that PostgreSQL refuses. `max` counts Unicode code points. */
export function storableText(max: number) {
  return z
    .string()
    .meta({ maxLength: max })
    .refine((text) => !isLongerThan(max, text), `Too big: expected string to have <=${max} characters`)
    .regex(WITHOUT_NUL, 'must not contain NUL')
    .refine((text) => !HALF_CHARACTER.test(text), 'must be Unicode text');
}

/** Text that a person can see: a name or an id of blanks looks like none. */
export function visibleText(max: number) {
  return storableText(max).regex(/\S/, 'must not be empty or blank');
}

/** A code point has one or two UTF-16 units, so code points are counted only if the length in units does not decide. */
function isLongerThan(max: number, text: string): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || [...text].length > max;
}
