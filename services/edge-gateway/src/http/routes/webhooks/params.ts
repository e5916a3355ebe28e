import { z } from 'zod';

export const webhookEventParams = z.object({ id: z.string(), webhook_id: z.string(), event_id: z.string() });
