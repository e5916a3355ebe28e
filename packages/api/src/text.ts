import { z } from 'zod';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is refused; not every reader of JSON Schema knows \0
const WITHOUT_NUL = /^[^\x00]*$/;
/** JSON can write them, UTF-8 can not: they would be stored as something else. */
const HALF_CHARACTER = /\p{Cs}/u;

/** Text that a database can hold: NUL is the one character that PostgreSQL refuses. `max` counts UTF-16 units. */
export function storableText(max: number) {
  return z
    .string()
    .max(max)
    .regex(WITHOUT_NUL, 'must not contain NUL')
    .refine((text) => !HALF_CHARACTER.test(text), 'must be Unicode text');
}
