import { conversationSchema } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { conversationJson } from './conversation-json.js';
import { conversationParams } from './params.js';

export const getConversation = defineRoute({
  method: 'GET',
  path: '/v1/conversations/:conversation_id',
  tag: 'Compatible endpoints',
  summary: 'Get a conversation',
  operationId: 'getConversation',
  description: 'A customer reads its own conversations, a project also those of its customers.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  success: { status: 200, schema: conversationSchema },
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const asked = { conversationId: params.conversation_id };
    return { body: conversationJson((await ctx.clients.conversations.getConversation(asked, call)).conversation) };
  },
});
