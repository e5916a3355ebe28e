import { listToolHookEventsQuery, listToolHookEventsResponse } from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import { toolHookEventJson } from './render.js';
import { endpointRoute } from './tool-hook-route.js';

export const listToolHookEvents = endpointRoute({
  method: 'GET',
  action: '/events',
  summary: "List a tool hook's calls, newest first",
  operationId: 'listToolHookEvents',
  description: 'The log has status, latency and error of each call.',
  query: listToolHookEventsQuery,
  success: { status: 200, schema: listToolHookEventsResponse },
  async handler({ id, query: { limit, offset }, call }, { clients }) {
    const page = await clients.toolHooks.listToolHookEvents({ id, limit, offset }, call);
    const events = page.events.map(toolHookEventJson);
    return { body: { events, ...nextCursor(offset, events.length, page.hasMore) } };
  },
});
