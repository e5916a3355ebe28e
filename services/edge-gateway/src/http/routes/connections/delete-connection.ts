import { endpointRoute } from './connection-route.js';

export const deleteConnection = endpointRoute({
  method: 'DELETE',
  summary: 'Delete a connection',
  operationId: 'deleteConnection',
  description:
    'Its keys are deleted too. Within seconds, requests to its models go by the routes of the installation, which the owner account pays.',
  success: { status: 204 },
  audit: 'connection.deleted',
  async handler({ id, call }, { clients }) {
    await clients.connections.deleteConnection({ id }, call);
    return { status: 204 };
  },
});
