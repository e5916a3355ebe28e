import { listMcpServersQuery, listMcpServersResponse } from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import { projectRoute } from './mcp-server-route.js';
import { mcpServerJson } from './render.js';

export const listMcpServers = projectRoute({
  method: 'GET',
  summary: 'List MCP servers, oldest first',
  operationId: 'listMcpServers',
  description: 'Returns the servers of the project, without the values of their headers.',
  query: listMcpServersQuery,
  success: { status: 200, schema: listMcpServersResponse },
  async handler({ query: { limit, offset }, call }, { clients }) {
    const page = await clients.mcpServers.listMcpServers({ limit, offset }, call);
    const servers = page.servers.map(mcpServerJson);
    return { body: { servers, ...nextCursor(offset, servers.length, page.hasMore) } };
  },
});
