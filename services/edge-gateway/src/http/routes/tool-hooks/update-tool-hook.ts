import { updateToolHookBody, updateToolHookResponse } from '@tollgate/api/hooks';
import { toolHookJson } from './render.js';
import { endpointRoute } from './tool-hook-route.js';
import { toolHookSettings } from './tool-hook-settings.js';

/** With `rotate_secret`, returns a new signing secret that replaces the old one at once. */
export const updateToolHook = endpointRoute({
  method: 'PUT',
  summary: 'Update a tool hook or rotate its secret',
  operationId: 'updateToolHook',
  description: 'Omitted fields keep their values. `rotate_secret` replaces the secret and returns the new one.',
  body: updateToolHookBody,
  success: { status: 200, schema: updateToolHookResponse },
  audit: 'tool_hook.updated',
  async handler({ id, body, call }, { clients }) {
    const { hook, signingSecret } = await clients.toolHooks.updateToolHook(
      {
        ...toolHookSettings(body),
        ...(typeof body.endpoint_url === 'string' && { endpointUrl: body.endpoint_url }),
        ...(typeof body.fail_behavior === 'string' && { failBehavior: body.fail_behavior }),
        ...(body.tools_allowlist && { toolsAllowlist: { tools: body.tools_allowlist } }),
        id,
        rotateSecret: body.rotate_secret ?? false,
      },
      call,
    );
    return { body: { hook: toolHookJson(hook), signing_secret: signingSecret || undefined } };
  },
});
