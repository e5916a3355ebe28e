import { sessionSchema } from '@tollgate/api/state';
import { defineRoute } from '../../exchange/route.js';
import { sessionParams } from './params.js';
import { sessionJson } from './render.js';

export const clearSession = defineRoute({
  method: 'POST',
  path: '/sessions/:id/clear',
  tag: 'Sessions',
  summary: 'Delete all messages of a session; keeps metadata and tool state',
  operationId: 'clearSession',
  description: 'The session itself remains.',
  auth: ['secret_key', 'owner', 'customer'],
  params: sessionParams,
  success: { status: 200, schema: sessionSchema },
  async handler({ params, call }, ctx) {
    const { session } = await ctx.clients.sessions.clearSession({ id: params.id }, call);
    return { body: sessionJson(session) };
  },
});
