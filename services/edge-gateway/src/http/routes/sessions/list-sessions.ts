import { listSessionsQuery, listSessionsResponse, nextCursor } from '@tollgate/api';
import { defineRoute } from '../../exchange/route.js';
import { sessionJson } from './render.js';

export const listSessions = defineRoute({
  method: 'GET',
  path: '/sessions',
  tag: 'Sessions',
  summary: 'List sessions without their messages, newest first',
  auth: ['secret_key', 'owner', 'customer'],
  query: listSessionsQuery,
  success: { status: 200, schema: listSessionsResponse },
  async handler({ query, call }, ctx) {
    const { limit, offset } = query;
    const page = await ctx.clients.sessions.listSessions({ limit, offset }, call);
    const sessions = page.sessions.map(sessionJson);
    return { body: { sessions, ...nextCursor(offset, sessions.length, page.hasMore) } };
  },
});
