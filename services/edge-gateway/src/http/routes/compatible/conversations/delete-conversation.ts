import { deletedConversationSchema } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { conversationParams } from './params.js';

export const deleteConversation = defineRoute({
  method: 'DELETE',
  path: '/v1/conversations/:conversation_id',
  tag: 'Compatible endpoints',
  summary: 'Delete a conversation with its items',
  operationId: 'deleteConversation',
  description: 'Responses that were stored while they belonged to it stay.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  success: { status: 200, schema: deletedConversationSchema },
  errorShape: 'openai',
  async handler({ params: { conversation_id: id }, call }, ctx) {
    await ctx.clients.conversations.deleteConversation({ conversationId: id }, call);
    return { body: { id, object: 'conversation.deleted', deleted: true } };
  },
});
