import { z } from 'zod';

export const runParams = z.object({ id: z.string() });
