import { z } from 'zod';

export const projectParams = z.object({ id: z.string() });
export const webhookParams = projectParams.extend({ webhook_id: z.string() });
export const webhookEventParams = webhookParams.extend({ event_id: z.string() });
