import { connectionResponse } from '@tollgate/api/connections';
import { endpointRoute } from './connection-route.js';
import { connectionJson } from './render.js';

export const getConnection = endpointRoute({
  method: 'GET',
  summary: 'Get a connection',
  operationId: 'getConnection',
  description: 'Returns the settings of a connection, without its secrets.',
  success: { status: 200, schema: connectionResponse },
  async handler({ id, call }, { clients }) {
    const { connection } = await clients.connections.getConnection({ id }, call);
    return { body: { connection: connectionJson(connection!) } };
  },
});
