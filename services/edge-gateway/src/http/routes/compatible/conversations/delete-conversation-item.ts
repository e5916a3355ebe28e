import { conversationSchema } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { conversationJson } from './conversation-json.js';
import { conversationItemParams } from './params.js';

export const deleteConversationItem = defineRoute({
  method: 'DELETE',
  path: '/v1/conversations/:conversation_id/items/:item_id',
  tag: 'Compatible endpoints',
  summary: 'Delete an item of a conversation',
  operationId: 'deleteConversationItem',
  description: 'Later requests in the conversation do not get it. Returns the conversation.',
  auth: ['secret_key', 'customer'],
  params: conversationItemParams,
  success: { status: 200, schema: conversationSchema },
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const place = { conversationId: params.conversation_id, itemId: params.item_id };
    return { body: conversationJson((await ctx.clients.conversations.deleteItem(place, call)).conversation) };
  },
});
