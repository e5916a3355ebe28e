import { listConnectionsQuery, listConnectionsResponse } from '@tollgate/api/connections';
import { nextCursor } from '@tollgate/api/values';
import { projectRoute } from './connection-route.js';
import { connectionJson } from './render.js';

export const listConnections = projectRoute({
  method: 'GET',
  summary: 'List connections, oldest first, which is the order in which they are asked',
  operationId: 'listConnections',
  description: 'Connections that serve the same model are asked in this order.',
  query: listConnectionsQuery,
  success: { status: 200, schema: listConnectionsResponse },
  async handler({ query: { limit, offset }, call }, { clients }) {
    const page = await clients.connections.listConnections({ limit, offset }, call);
    const connections = page.connections.map(connectionJson);
    return { body: { connections, ...nextCursor(offset, connections.length, page.hasMore) } };
  },
});
