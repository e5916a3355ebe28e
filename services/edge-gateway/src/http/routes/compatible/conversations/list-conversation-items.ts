import { conversationItemsSchema, listConversationItemsQuery } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { itemsJson } from './conversation-json.js';
import { conversationParams } from './params.js';

export const listConversationItems = defineRoute({
  method: 'GET',
  path: '/v1/conversations/:conversation_id/items',
  tag: 'Compatible endpoints',
  summary: 'List the items of a conversation',
  operationId: 'listConversationItems',
  description: 'Newest first, unless `order` is `asc`.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  query: listConversationItemsQuery,
  success: { status: 200, schema: conversationItemsSchema },
  errorShape: 'openai',
  async handler({ params, query: { limit, order, after = '' }, call }, ctx) {
    const page = { conversationId: params.conversation_id, limit, after, isDescending: order === 'desc' };
    const listed = await ctx.clients.conversations.listItems(page, call);
    return { body: itemsJson(listed.itemsJson, listed.hasMore) };
  },
});
