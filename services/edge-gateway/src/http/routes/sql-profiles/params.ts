import { z } from 'zod';

export const projectParams = z.object({ id: z.string() });
export const profileParams = projectParams.extend({ profile_id: z.string() });
