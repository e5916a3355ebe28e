import { z } from 'zod';

/** Whether it is an id at all is decided where images are known: what is malformed does not exist. */
export const imageParams = z.object({ id: z.string().max(64).toLowerCase() });
