import { z } from 'zod';

export const projectParams = z.object({ id: z.string() });
export const toolHookParams = projectParams.extend({ hook_id: z.string() });
