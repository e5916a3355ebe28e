import { mcpServerResponse } from '@tollgate/api/hooks';
import { endpointRoute } from './mcp-server-route.js';
import { mcpServerJson } from './render.js';

export const getMcpServer = endpointRoute({
  method: 'GET',
  summary: 'Get an MCP server',
  operationId: 'getMcpServer',
  description: 'Returns the settings of a server, without the values of its headers.',
  success: { status: 200, schema: mcpServerResponse },
  async handler({ id, call }, { clients }) {
    const { server } = await clients.mcpServers.getMcpServer({ id }, call);
    return { body: { server: mcpServerJson(server) } };
  },
});
