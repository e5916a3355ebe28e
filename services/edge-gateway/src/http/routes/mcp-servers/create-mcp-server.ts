import { createMcpServerBody, mcpServerResponse } from '@tollgate/api/hooks';
import { projectRoute } from './mcp-server-route.js';
import { mcpServerSettings } from './mcp-server-settings.js';
import { mcpServerJson } from './render.js';

export const createMcpServer = projectRoute({
  method: 'POST',
  summary: 'Register an MCP server',
  operationId: 'createMcpServer',
  description:
    'The server speaks streamable HTTP in a version of the Model Context Protocol up to 2026-07-28. Agents name it in `tools` (`{"mcp_server": "<name>"}`) and nodes of runs in `mcp_servers`. Models may then call its tools; the calls are recorded in the run and pass the tool hooks. The values of `headers` are stored encrypted and never returned.',
  body: createMcpServerBody,
  success: { status: 201, schema: mcpServerResponse },
  refusals: [409],
  audit: 'mcp_server.created',
  async handler({ body, call }, { clients }) {
    const { server } = await clients.mcpServers.createMcpServer(
      {
        ...mcpServerSettings(body),
        name: body.name ?? '',
        endpointUrl: body.endpoint_url ?? '',
        headers: body.headers ?? {},
        toolsAllowlist: body.tools_allowlist ?? [],
      },
      call,
    );
    return { status: 201, body: { server: mcpServerJson(server) } };
  },
});
