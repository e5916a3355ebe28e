import { endpointRoute } from './tool-hook-route.js';

export const deleteToolHook = endpointRoute({
  method: 'DELETE',
  summary: 'Delete a tool hook',
  operationId: 'deleteToolHook',
  description: 'Tools of agents that are bound to the hook fail from now on.',
  success: { status: 204 },
  audit: 'tool_hook.deleted',
  async handler({ id, call }, { clients }) {
    await clients.toolHooks.deleteToolHook({ id }, call);
    return { status: 204 };
  },
});
