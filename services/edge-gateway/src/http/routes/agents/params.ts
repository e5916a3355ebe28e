import { z } from 'zod';

export const projectParams = z.object({ id: z.string() });
export const agentParams = projectParams.extend({ slug: z.string() });
