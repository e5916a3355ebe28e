import { connectMcpClientBody, mcpServerResponse } from '@tollgate/api/hooks';
import { enforceAuthorizationLimit } from './authorize-mcp-server.js';
import { endpointRoute } from './mcp-server-route.js';
import { mcpServerJson } from './render.js';

export const connectMcpClient = endpointRoute({
  method: 'PUT',
  action: '/client-credentials',
  summary: 'Connect an MCP server with client credentials (OAuth)',
  operationId: 'connectMcpClient',
  description:
    'For servers that act for no account: Tollgate gets access tokens for the client itself, at the authorization server that the MCP server names, and renews them. The first token is fetched at once; with credentials that are refused, nothing changes and the answer is 409 with the reason. Replaces an account that is connected. `DELETE …/authorization` forgets the credentials.',
  body: connectMcpClientBody,
  success: { status: 200, schema: mcpServerResponse },
  audit: 'mcp_server.connected',
  timeoutMs: 30_000,
  refusals: [409],
  async handler({ id, body, call }, ctx) {
    await enforceAuthorizationLimit(call, ctx);
    const { client_id: clientId, client_secret: clientSecret, scope } = body;
    const { server } = await ctx.clients.mcpServers.connectMcpClient(
      { id, clientId, clientSecret, scope: scope ?? '' },
      call,
    );
    return { body: { server: mcpServerJson(server) } };
  },
});
