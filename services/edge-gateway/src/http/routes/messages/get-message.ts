import { messageSchema } from '@tollgate/api/state';
import { defineRoute } from '../../exchange/route.js';
import { messageParams } from './params.js';
import { messageJson } from './render.js';

export const getMessage = defineRoute({
  method: 'GET',
  path: '/messages/:message_id',
  tag: 'Messages',
  summary: 'Get a message',
  operationId: 'getMessage',
  description: 'Returns the message with its body.',
  auth: ['secret_key', 'owner', 'customer'],
  params: messageParams,
  success: { status: 200, schema: messageSchema },
  async handler({ params, call }, ctx) {
    const { message } = await ctx.clients.messaging.getMessage({ id: params.message_id, fromClient: true }, call);
    return { body: messageJson(message) };
  },
});
