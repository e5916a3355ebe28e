import { conversationItemSchema } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { parse } from './conversation-json.js';
import { conversationItemParams } from './params.js';

export const getConversationItem = defineRoute({
  method: 'GET',
  path: '/v1/conversations/:conversation_id/items/:item_id',
  tag: 'Compatible endpoints',
  summary: 'Get an item of a conversation',
  operationId: 'getConversationItem',
  auth: ['secret_key', 'customer'],
  params: conversationItemParams,
  success: { status: 200, schema: conversationItemSchema },
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const place = { conversationId: params.conversation_id, itemId: params.item_id };
    return { body: parse((await ctx.clients.conversations.getItem(place, call)).itemJson) };
  },
});
