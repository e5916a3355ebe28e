import { z } from 'zod';

export const googleModelParams = z.object({ model: z.string().min(1).max(256) });

export const googleStreamQuery = z.object({ alt: z.enum(['sse', 'json']).optional() });
