import { endpointRoute } from './mcp-server-route.js';

export const disconnectMcpServer = endpointRoute({
  method: 'DELETE',
  action: '/authorization',
  summary: 'Disconnect an MCP server from its account',
  operationId: 'disconnectMcpServer',
  description: 'Deletes the tokens. To end them at the authorization server too, revoke the access there.',
  success: { status: 204 },
  audit: 'mcp_server.disconnected',
  async handler({ id, call }, { clients }) {
    await clients.mcpServers.disconnectMcpServer({ id }, call);
    return { status: 204 };
  },
});
