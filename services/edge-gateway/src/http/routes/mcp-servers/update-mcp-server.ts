import { mcpServerResponse, updateMcpServerBody } from '@tollgate/api/hooks';
import { endpointRoute } from './mcp-server-route.js';
import { mcpServerSettings } from './mcp-server-settings.js';
import { mcpServerJson } from './render.js';

export const updateMcpServer = endpointRoute({
  method: 'PUT',
  summary: 'Update an MCP server or its credentials',
  operationId: 'updateMcpServer',
  description:
    'Omitted fields keep their values. `headers` replaces all headers. A new origin of `endpoint_url` without `headers` removes them: they may not be meant for the new host.',
  body: updateMcpServerBody,
  success: { status: 200, schema: mcpServerResponse },
  refusals: [409],
  audit: 'mcp_server.updated',
  async handler({ id, body, call }, { clients }) {
    const { server } = await clients.mcpServers.updateMcpServer(
      {
        ...mcpServerSettings(body),
        ...(typeof body.endpoint_url === 'string' && { endpointUrl: body.endpoint_url }),
        ...(body.headers && { headers: { headers: body.headers } }),
        ...(body.tools_allowlist && { toolsAllowlist: { tools: body.tools_allowlist } }),
        id,
      },
      call,
    );
    return { body: { server: mcpServerJson(server) } };
  },
});
