import { z } from 'zod';

/** Text that a database can hold: NUL is the one character that PostgreSQL refuses. `max` counts UTF-16 units. */
export function storableText(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^[^\0]*$/, 'must not contain NUL');
}
