import { addConversationItemsBody, conversationItemsSchema } from '@tollgate/api/compatible';
import { discardAttempt } from '../../../../operations/attempts/discard-attempt.js';
import { defineRoute } from '../../../exchange/route.js';
import { requireStorage } from '../../../turns/response-storage.js';
import { itemsJson, toJson } from './conversation-json.js';
import { conversationParams } from './params.js';

export const addConversationItems = defineRoute({
  method: 'POST',
  path: '/v1/conversations/:conversation_id/items',
  tag: 'Compatible endpoints',
  summary: 'Add items to a conversation',
  operationId: 'addConversationItems',
  description: 'Adds up to 20 items at its end, in a row, and returns them with their ids.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  body: addConversationItemsBody,
  bodyClass: 'generating',
  idempotent: true,
  discard: (ctx, attemptId, call) => discardAttempt(ctx, attemptId, call, {}),
  success: { status: 200, schema: conversationItemsSchema },
  refusals: [400],
  errorShape: 'openai',
  async handler({ params, body, principal, ids, call }, ctx) {
    requireStorage(ctx, principal, 'items');
    const added = { conversationId: params.conversation_id, itemsJson: toJson(body.items), sourceId: ids.holdId };
    return { body: itemsJson((await ctx.clients.conversations.addItems(added, call)).itemsJson, false) };
  },
});
