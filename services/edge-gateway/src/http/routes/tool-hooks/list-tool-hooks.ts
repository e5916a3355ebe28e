import { listToolHooksQuery, listToolHooksResponse, nextCursor } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams } from './params.js';
import { toolHookJson } from './render.js';

export const listToolHooks = defineRoute({
  method: 'GET',
  path: '/projects/:id/tool-hooks',
  tag: 'Tool hooks',
  summary: 'List tool hooks, oldest first: the order in which they are asked',
  auth: ['owner'],
  params: projectParams,
  query: listToolHooksQuery,
  success: { status: 200, schema: listToolHooksResponse },
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { limit, offset } = input.query;
    const page = await ctx.clients.toolHooks.listToolHooks({ limit, offset }, input.call.with({ principal }));
    const hooks = page.hooks.map(toolHookJson);
    return { body: { hooks, ...nextCursor(offset, hooks.length, page.hasMore) } };
  },
});
