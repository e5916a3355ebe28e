import { defineRoute } from '../../exchange/route.js';
import { sessionParams } from './params.js';

export const deleteSession = defineRoute({
  method: 'DELETE',
  path: '/sessions/:id',
  tag: 'Sessions',
  summary: 'Delete a session with its messages',
  operationId: 'deleteSession',
  description: 'This cannot be undone.',
  auth: ['secret_key'],
  params: sessionParams,
  success: { status: 204 },
  async handler({ params, call }, ctx) {
    await ctx.clients.sessions.deleteSession({ id: params.id }, call);
    return { status: 204 };
  },
});
