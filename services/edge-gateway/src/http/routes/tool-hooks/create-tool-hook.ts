import { createToolHookBody, createToolHookResponse } from '@tollgate/api/hooks';
import { toolHookJson } from './render.js';
import { projectRoute } from './tool-hook-route.js';
import { toolHookSettings } from './tool-hook-settings.js';

/** Returns the signing secret, which no later response contains. */
export const createToolHook = projectRoute({
  method: 'POST',
  summary: 'Create a tool hook',
  operationId: 'createToolHook',
  description:
    'The answer has the signing secret, only this once. The hook’s type decides whether it executes tools, or permits or changes their calls.',
  body: createToolHookBody,
  success: { status: 201, schema: createToolHookResponse },
  audit: 'tool_hook.created',
  async handler({ body, call }, { clients }) {
    const { hook, signingSecret } = await clients.toolHooks.createToolHook(
      {
        ...toolHookSettings(body),
        hookType: body.hook_type ?? '',
        endpointUrl: body.endpoint_url ?? '',
        failBehavior: body.fail_behavior ?? '',
        toolsAllowlist: body.tools_allowlist ?? [],
      },
      call,
    );
    return { status: 201, body: { hook: toolHookJson(hook), signing_secret: signingSecret } };
  },
});
