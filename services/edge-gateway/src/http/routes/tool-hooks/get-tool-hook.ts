import { toolHookResponse } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { toolHookParams } from './params.js';
import { toolHookJson } from './render.js';

export const getToolHook = defineRoute({
  method: 'GET',
  path: '/projects/:id/tool-hooks/:hook_id',
  tag: 'Tool hooks',
  summary: 'Get a tool hook',
  auth: ['owner'],
  params: toolHookParams,
  success: { status: 200, schema: toolHookResponse },
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'tool hook');
    const { hook } = await ctx.clients.toolHooks.getToolHook(
      { id: input.params.hook_id },
      input.call.with({ principal }),
    );
    return { body: { hook: toolHookJson(hook) } };
  },
});
