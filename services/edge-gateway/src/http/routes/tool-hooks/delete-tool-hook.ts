import { defineRoute } from '../../route.js';
import { requireHookProject } from './hook-scope.js';
import { toolHookParams } from './params.js';

export const deleteToolHook = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/tool-hooks/:hook_id',
  tag: 'Tool hooks',
  summary: 'Delete a tool hook',
  auth: ['owner'],
  params: toolHookParams,
  success: { status: 204 },
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireHookProject(ctx, input);
    await ctx.clients.toolHooks.deleteToolHook({ id: input.params.hook_id }, input.call.with({ principal }));
    return { status: 204 };
  },
});
