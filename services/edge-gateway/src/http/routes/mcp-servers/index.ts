import type { Route } from '../../exchange/route.js';
import { createMcpServer } from './create-mcp-server.js';
import { deleteMcpServer } from './delete-mcp-server.js';
import { getMcpServer } from './get-mcp-server.js';
import { listMcpServers } from './list-mcp-servers.js';
import { testMcpServer } from './test-mcp-server.js';
import { updateMcpServer } from './update-mcp-server.js';

export const mcpServersRoutes: Route[] = [
  listMcpServers,
  createMcpServer,
  getMcpServer,
  updateMcpServer,
  deleteMcpServer,
  testMcpServer,
];
