import { z } from 'zod';

export const projectParams = z.object({ id: z.string() });
export const requestParams = z.object({ id: z.string(), request_id: z.string() });
