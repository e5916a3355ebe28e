import { z } from 'zod';

export const messageParams = z.object({ message_id: z.string() });
