import { McpServerService } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import {
  ATTEMPT_TTL_MS,
  authorizeMcpServer,
  completeMcpAuthorization,
  disconnectMcpServer,
} from '../operations/mcp/authorization/authorize-mcp-server.js';
import { connectMcpClient } from '../operations/mcp/authorization/connect-mcp-client.js';
import { callMcpTool } from '../operations/mcp/call-mcp-tool.js';
import { checkMcpServers } from '../operations/mcp/check-mcp-servers.js';
import { listMcpTools } from '../operations/mcp/list-mcp-tools.js';
import {
  createMcpServer,
  mcpServerNotFound,
  requireMcpServer,
  updateMcpServer,
} from '../operations/mcp/mcp-servers.js';
import { testMcpServer } from '../operations/mcp/test-mcp-server.js';
import { markMcpServerDeleted, selectMcpServers } from '../store/mcp/mcp-servers.js';
import {
  listingToProto,
  mcpServerToProto,
  requireAnyProject,
  testResultToProto,
  toMcpCall,
} from './mcp-server-mapping.js';
import { readPage, toPage } from './paging.js';
import { requireAuthorizer, requireManagedProject, requireOwnedProject } from './require-project.js';

export function mcpServerService(ctx: Context): Registration {
  return register(McpServerService, {
    async createMcpServer(req, call) {
      return { server: mcpServerToProto(await createMcpServer(ctx, requireOwnedProject(call), req)) };
    },
    async getMcpServer({ id }, call) {
      return { server: mcpServerToProto(await requireMcpServer(ctx, requireOwnedProject(call), id)) };
    },
    async listMcpServers(req, call) {
      const projectId = requireOwnedProject(call);
      const { rows, hasMore } = await readPage(toPage(req), (page) => selectMcpServers(ctx.pool, projectId, page));
      return { servers: rows.map(mcpServerToProto), hasMore };
    },
    async updateMcpServer({ id, headers, toolsAllowlist, ...rest }, call) {
      const command = { ...rest, headers: headers?.headers, toolsAllowlist: toolsAllowlist?.tools };
      return { server: mcpServerToProto(await updateMcpServer(ctx, requireOwnedProject(call), id, command)) };
    },
    async deleteMcpServer({ id }, call) {
      const isDeleted = await markMcpServerDeleted(ctx.pool, requireOwnedProject(call), id, ctx.clock.now());
      if (!isDeleted) throw mcpServerNotFound();
      return {};
    },
    async testMcpServer({ id }, call) {
      const { reply, latencyMs } = await testMcpServer(ctx, requireOwnedProject(call), id);
      return testResultToProto(reply, latencyMs);
    },
    async authorizeMcpServer({ id, ...command }, call) {
      const authorizationUrl = await authorizeMcpServer(ctx, requireAuthorizer(call), id, command);
      return { authorizationUrl, expiresInSeconds: ATTEMPT_TTL_MS / 1000 };
    },
    async completeMcpAuthorization({ id, ...answer }, call) {
      return { server: mcpServerToProto(await completeMcpAuthorization(ctx, requireAuthorizer(call), id, answer)) };
    },
    async connectMcpClient({ id, ...command }, call) {
      return { server: mcpServerToProto(await connectMcpClient(ctx, requireOwnedProject(call), id, command)) };
    },
    async disconnectMcpServer({ id }, call) {
      await disconnectMcpServer(ctx, requireOwnedProject(call), id);
      return {};
    },
    async checkMcpServers({ names }, call) {
      return { faults: await checkMcpServers(ctx, requireManagedProject(call), names) };
    },
    async listMcpTools({ servers }, call) {
      const listings = await listMcpTools(ctx, requireAnyProject(call), servers, call.remainingMs());
      return { listings: listings.map(listingToProto) };
    },
    async callMcpTool(req, call) {
      return { resultJson: await callMcpTool(ctx, toMcpCall(req, call), call.remainingMs(), call.signal) };
    },
  });
}
