import { updateToolHookBody, updateToolHookResponse } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { toolHookParams } from './params.js';
import { toolHookJson } from './render.js';
import { toolHookSettings } from './tool-hook-settings.js';

/** With `rotate_secret` the answer carries the new signing secret; the old one is void at once. */
export const updateToolHook = defineRoute({
  method: 'PUT',
  path: '/projects/:id/tool-hooks/:hook_id',
  tag: 'Tool hooks',
  summary: 'Update a tool hook or rotate its secret',
  auth: ['owner'],
  params: toolHookParams,
  body: updateToolHookBody,
  success: { status: 200, schema: updateToolHookResponse },
  audit: 'tool_hook.updated',
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'tool hook');
    const { body } = input;
    const { hook, signingSecret } = await ctx.clients.toolHooks.updateToolHook(
      {
        ...toolHookSettings(body),
        ...(typeof body.endpoint_url === 'string' && { endpointUrl: body.endpoint_url }),
        ...(typeof body.fail_behavior === 'string' && { failBehavior: body.fail_behavior }),
        ...(body.tools_allowlist && { toolsAllowlist: { tools: body.tools_allowlist } }),
        id: input.params.hook_id,
        rotateSecret: body.rotate_secret ?? false,
      },
      input.call.with({ principal }),
    );
    return { body: { hook: toolHookJson(hook), signing_secret: signingSecret || undefined } };
  },
});
