import { defineRoute } from '../../exchange/route.js';
import { messageParams } from './params.js';

export const markMessageRead = defineRoute({
  method: 'POST',
  path: '/messages/:message_id/read',
  tag: 'Messages',
  summary: 'Mark a message as read; idempotent',
  operationId: 'markMessageRead',
  description: 'A message that is read already stays as it is.',
  auth: ['secret_key', 'owner', 'customer'],
  params: messageParams,
  success: { status: 204 },
  async handler({ params, call }, ctx) {
    await ctx.clients.messaging.markMessageRead({ id: params.message_id, fromClient: true }, call);
    return { status: 204 };
  },
});
