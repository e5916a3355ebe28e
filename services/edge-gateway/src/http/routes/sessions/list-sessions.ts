import { listSessionsQuery, listSessionsResponse } from '@tollgate/api/state';
import { customerListRoute } from '../list-route.js';
import { sessionJson } from './render.js';

export const listSessions = customerListRoute({
  path: '/sessions',
  tag: 'Sessions',
  summary: 'List sessions without their messages, newest first',
  operationId: 'listSessions',
  description: 'Returns the sessions of the project, or of the customer of the token.',
  query: listSessionsQuery,
  response: listSessionsResponse,
  field: 'sessions',
  async read(page, call, { clients }) {
    const { sessions, hasMore } = await clients.sessions.listSessions(page, call);
    return { rows: sessions.map(sessionJson), hasMore };
  },
});
