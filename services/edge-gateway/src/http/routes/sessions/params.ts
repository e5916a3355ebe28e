import { z } from 'zod';

export const sessionParams = z.object({ id: z.string() });
