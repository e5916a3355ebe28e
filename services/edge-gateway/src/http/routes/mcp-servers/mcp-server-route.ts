import { endpointRoutes } from '../endpoint-routes.js';

export const { projectRoute, endpointRoute } = endpointRoutes({
  segment: 'mcp-servers',
  idParam: 'mcp_server_id',
  tag: 'MCP servers',
  name: 'MCP server',
  errorShape: 'native',
});
