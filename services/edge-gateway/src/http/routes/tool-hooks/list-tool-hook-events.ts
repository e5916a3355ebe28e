import { listToolHookEventsQuery, listToolHookEventsResponse, nextCursor } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { toolHookParams } from './params.js';
import { toolHookEventJson } from './render.js';

export const listToolHookEvents = defineRoute({
  method: 'GET',
  path: '/projects/:id/tool-hooks/:hook_id/events',
  tag: 'Tool hooks',
  summary: "A tool hook's calls, newest first",
  auth: ['owner'],
  params: toolHookParams,
  query: listToolHookEventsQuery,
  success: { status: 200, schema: listToolHookEventsResponse },
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'tool hook');
    const { limit, offset } = input.query;
    const page = await ctx.clients.toolHooks.listToolHookEvents(
      { id: input.params.hook_id, limit, offset },
      input.call.with({ principal }),
    );
    const events = page.events.map(toolHookEventJson);
    return { body: { events, ...nextCursor(offset, events.length, page.hasMore) } };
  },
});
