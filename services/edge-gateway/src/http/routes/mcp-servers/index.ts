import { endpoints } from '../../server/endpoints.js';
import { authorizeMcpServer } from './authorize-mcp-server.js';
import { completeMcpAuthorization } from './complete-mcp-authorization.js';
import { connectMcpClient } from './connect-mcp-client.js';
import { createMcpServer } from './create-mcp-server.js';
import { deleteMcpServer } from './delete-mcp-server.js';
import { disconnectMcpServer } from './disconnect-mcp-server.js';
import { getMcpServer } from './get-mcp-server.js';
import { listMcpServers } from './list-mcp-servers.js';
import { mcpAuthorizationCallback } from './mcp-authorization-callback.js';
import { testMcpServer } from './test-mcp-server.js';
import { updateMcpServer } from './update-mcp-server.js';

export const mcpServerRouter = endpoints(
  listMcpServers,
  createMcpServer,
  getMcpServer,
  updateMcpServer,
  deleteMcpServer,
  testMcpServer,
  authorizeMcpServer,
  completeMcpAuthorization,
  connectMcpClient,
  disconnectMcpServer,
  mcpAuthorizationCallback,
);
