import { z } from 'zod';

const id = z.string().min(1).max(256);

export const conversationParams = z.object({ conversation_id: id });
/** Vendors choose the ids of items in forwarded answers. */
export const conversationItemParams = z.object({ conversation_id: id, item_id: id });
