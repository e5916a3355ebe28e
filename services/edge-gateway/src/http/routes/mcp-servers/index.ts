import { endpoints } from '../../server/endpoints.js';
import {
  authorizeMcpServer,
  completeMcpAuthorization,
  connectMcpClient,
  disconnectMcpServer,
  mcpAuthorizationCallback,
} from './mcp-authorization.js';
import {
  createMcpServer,
  deleteMcpServer,
  getMcpServer,
  listMcpServers,
  testMcpServer,
  updateMcpServer,
} from './mcp-servers.js';

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
