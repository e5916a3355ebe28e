import { conversationSchema, createConversationBody } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { requireStorage } from '../../../turns/response-storage.js';
import { conversationJson, toJson } from './conversation-json.js';

export const createConversation = defineRoute({
  method: 'POST',
  path: '/v1/conversations',
  tag: 'Compatible endpoints',
  summary: 'Create a conversation',
  operationId: 'createConversation',
  description:
    'Requests of `/v1/responses` that name it in `conversation` get its items before their own input; their input and output are added to it. It expires when it has not been used for as long as responses are stored. Needs a project that stores responses.',
  auth: ['secret_key', 'customer'],
  body: createConversationBody,
  bodyClass: 'generating',
  idempotent: true,
  success: { status: 200, schema: conversationSchema },
  refusals: [400],
  errorShape: 'openai',
  async handler({ body, principal, call }, ctx) {
    requireStorage(ctx, principal, 'conversation');
    const { items, metadata } = body;
    const created = { metadataJson: toJson(metadata ?? {}), itemsJson: toJson(items ?? []) };
    const { conversation } = await ctx.clients.conversations.createConversation(created, call);
    return { body: conversationJson(conversation) };
  },
});
