import { listToolHooksQuery, listToolHooksResponse } from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import { toolHookJson } from './render.js';
import { projectRoute } from './tool-hook-route.js';

export const listToolHooks = projectRoute({
  method: 'GET',
  summary: 'List tool hooks, oldest first, which is the order in which they are called',
  operationId: 'listToolHooks',
  description: 'Hooks are called in this order.',
  query: listToolHooksQuery,
  success: { status: 200, schema: listToolHooksResponse },
  async handler({ query: { limit, offset }, call }, { clients }) {
    const page = await clients.toolHooks.listToolHooks({ limit, offset }, call);
    const hooks = page.hooks.map(toolHookJson);
    return { body: { hooks, ...nextCursor(offset, hooks.length, page.hasMore) } };
  },
});
