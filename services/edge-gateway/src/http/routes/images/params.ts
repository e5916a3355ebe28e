import { z } from 'zod';

/** Accepts any text: inference answers 404 for a malformed id, too. */
export const imageParams = z.object({ id: z.string().max(64).toLowerCase() });
