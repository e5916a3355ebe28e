import { listStateHandlesQuery, listStateHandlesResponse, nextCursor } from '@tollgate/api';
import { defineRoute } from '../../exchange/route.js';
import { stateHandleJson } from './render.js';

export const listStateHandles = defineRoute({
  method: 'GET',
  path: '/state-handles',
  tag: 'State handles',
  summary: 'List living state handles, newest first',
  auth: ['secret_key', 'owner', 'customer'],
  query: listStateHandlesQuery,
  success: { status: 200, schema: listStateHandlesResponse },
  async handler({ query, call }, ctx) {
    const { limit, offset } = query;
    const page = await ctx.clients.state.listStateHandles({ limit, offset }, call);
    const handles = page.handles.map(stateHandleJson);
    return { body: { state_handles: handles, ...nextCursor(offset, handles.length, page.hasMore) } };
  },
});
