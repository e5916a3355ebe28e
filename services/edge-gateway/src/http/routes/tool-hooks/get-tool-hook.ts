import { toolHookResponse } from '@tollgate/api/hooks';
import { toolHookJson } from './render.js';
import { endpointRoute } from './tool-hook-route.js';

export const getToolHook = endpointRoute({
  method: 'GET',
  summary: 'Get a tool hook',
  operationId: 'getToolHook',
  description: 'Returns the settings of a hook, without its secret.',
  success: { status: 200, schema: toolHookResponse },
  async handler({ id, call }, { clients }) {
    const { hook } = await clients.toolHooks.getToolHook({ id }, call);
    return { body: { hook: toolHookJson(hook) } };
  },
});
