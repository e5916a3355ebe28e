import { endpointRoute } from './mcp-server-route.js';

export const deleteMcpServer = endpointRoute({
  method: 'DELETE',
  summary: 'Delete an MCP server',
  operationId: 'deleteMcpServer',
  description: 'Agents and runs that name the server cannot call its tools from now on. The name is free again.',
  success: { status: 204 },
  audit: 'mcp_server.deleted',
  async handler({ id, call }, { clients }) {
    await clients.mcpServers.deleteMcpServer({ id }, call);
    return { status: 204 };
  },
});
