import { z } from 'zod';

/** Ids of stored responses are chosen by vendors. */
export const storedResponseParams = z.object({ response_id: z.string().min(1).max(256) });
