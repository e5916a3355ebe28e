import { createToolHookBody, createToolHookResponse } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams } from './params.js';
import { toolHookJson } from './render.js';
import { toolHookSettings } from './tool-hook-settings.js';

/** The answer carries the signing secret; no later one does. */
export const createToolHook = defineRoute({
  method: 'POST',
  path: '/projects/:id/tool-hooks',
  tag: 'Tool hooks',
  summary: 'Create a tool hook',
  auth: ['owner'],
  params: projectParams,
  body: createToolHookBody,
  success: { status: 201, schema: createToolHookResponse },
  audit: 'tool_hook.created',
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { body } = input;
    const { hook, signingSecret } = await ctx.clients.toolHooks.createToolHook(
      {
        ...toolHookSettings(body),
        hookType: body.hook_type ?? '',
        endpointUrl: body.endpoint_url ?? '',
        failBehavior: body.fail_behavior ?? '',
        toolsAllowlist: body.tools_allowlist ?? [],
      },
      input.call.with({ principal }),
    );
    return { status: 201, body: { hook: toolHookJson(hook), signing_secret: signingSecret } };
  },
});
