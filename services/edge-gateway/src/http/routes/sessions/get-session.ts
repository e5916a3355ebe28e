import { sessionWithMessagesSchema } from '@tollgate/api/state';
import { defineRoute } from '../../exchange/route.js';
import { sessionParams } from './params.js';
import { sessionJson, sessionMessageJson } from './render.js';

export const getSession = defineRoute({
  method: 'GET',
  path: '/sessions/:id',
  tag: 'Sessions',
  summary: 'Get a session with its messages, oldest first',
  operationId: 'getSession',
  description: 'Returns metadata and messages.',
  auth: ['secret_key', 'owner', 'customer'],
  params: sessionParams,
  success: { status: 200, schema: sessionWithMessagesSchema },
  async handler({ params, call }, ctx) {
    const { session, messages } = await ctx.clients.sessions.getSession({ id: params.id }, call);
    return { body: { ...sessionJson(session), messages: messages.map(sessionMessageJson) } };
  },
});
