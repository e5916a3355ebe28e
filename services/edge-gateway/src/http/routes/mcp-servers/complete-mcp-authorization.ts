import { completeMcpAuthorizationBody, mcpServerResponse } from '@tollgate/api/hooks';
import { endpointRoute } from './mcp-server-route.js';
import { mcpServerJson } from './render.js';

export const completeMcpAuthorization = endpointRoute({
  method: 'POST',
  action: '/authorization',
  summary: 'Complete the connection of an MCP server to an account',
  operationId: 'completeMcpAuthorization',
  description:
    'Exchanges the code that the authorization server sent back. Called by the console; only in the session that started the connection.',
  body: completeMcpAuthorizationBody,
  success: { status: 200, schema: mcpServerResponse },
  audit: 'mcp_server.connected',
  timeoutMs: 30_000,
  refusals: [409],
  async handler({ id, body: { state, code, iss }, call }, { clients }) {
    const { server } = await clients.mcpServers.completeMcpAuthorization({ id, state, code, issuer: iss ?? '' }, call);
    return { body: { server: mcpServerJson(server) } };
  },
});
