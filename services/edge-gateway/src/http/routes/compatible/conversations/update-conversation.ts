import { conversationSchema, updateConversationBody } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { conversationJson, toJson } from './conversation-json.js';
import { conversationParams } from './params.js';

export const updateConversation = defineRoute({
  method: 'POST',
  path: '/v1/conversations/:conversation_id',
  tag: 'Compatible endpoints',
  summary: 'Replace the metadata of a conversation',
  operationId: 'updateConversation',
  description: 'Null removes the metadata.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  body: updateConversationBody,
  success: { status: 200, schema: conversationSchema },
  errorShape: 'openai',
  async handler({ params, body, call }, ctx) {
    const change = { conversationId: params.conversation_id, metadataJson: toJson(body.metadata ?? {}) };
    return { body: conversationJson((await ctx.clients.conversations.updateConversation(change, call)).conversation) };
  },
});
