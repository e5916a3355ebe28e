import { z } from 'zod';

/** Accepts any text: inference also answers 404 for a malformed id. */
export const imageParams = z.object({ id: z.string().max(64).toLowerCase() });
