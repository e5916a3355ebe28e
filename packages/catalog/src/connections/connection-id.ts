import { z } from 'zod';

/** The id of a connection: at most 64 lower-case letters, digits and `. _ -`. */
export const connectionId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be at most 64 lower-case letters, digits and . _ -');
