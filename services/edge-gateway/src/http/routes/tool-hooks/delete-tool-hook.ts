import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { toolHookParams } from './params.js';

export const deleteToolHook = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/tool-hooks/:hook_id',
  tag: 'Tool hooks',
  summary: 'Delete a tool hook',
  auth: ['owner'],
  params: toolHookParams,
  success: { status: 204 },
  audit: 'tool_hook.deleted',
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'tool hook');
    await ctx.clients.toolHooks.deleteToolHook({ id: input.params.hook_id }, input.call.with({ principal }));
    return { status: 204 };
  },
});
