import { endpointRoute } from './tool-hook-route.js';

export const deleteToolHook = endpointRoute({
  method: 'DELETE',
  summary: 'Delete a tool hook',
  success: { status: 204 },
  audit: 'tool_hook.deleted',
  async handler({ id, call }, { clients }) {
    await clients.toolHooks.deleteToolHook({ id }, call);
    return { status: 204 };
  },
});
