import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import {
  MCP_SERVERS_PER_PROJECT_MAX,
  MCP_TIMEOUT_MS_DEFAULT,
  type McpHeaders,
  type McpServer,
} from '../../domain/mcp/mcp-server.js';
import { insertMcpServer } from '../../store/mcp/mcp-servers.js';
import { checkMcpServer } from './check-mcp-server.js';
import { sealHeaders } from './server-credentials.js';

type CreateMcpServerContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool'>;

export interface CreateMcpServerCommand {
  name: string;
  endpointUrl: string;
  headers: McpHeaders;
  enabled?: boolean | undefined;
  timeoutMs?: number | undefined;
  toolsAllowlist: readonly string[];
}

/** @throws AppError VALIDATION_ERROR; CONFLICT when the project has a server with the name */
export async function createMcpServer(
  ctx: CreateMcpServerContext,
  projectId: string,
  command: CreateMcpServerCommand,
): Promise<McpServer> {
  const { name, endpointUrl, headers, enabled = true, timeoutMs = MCP_TIMEOUT_MS_DEFAULT } = command;
  const toolsAllowlist = [...new Set(command.toolsAllowlist)];
  checkMcpServer({ name, endpointUrl, timeoutMs, toolsAllowlist, headers }, ctx.endpointRules);
  const id = randomUUID();
  const now = ctx.clock.now();
  const settings = { name, endpointUrl, enabled, timeoutMs, toolsAllowlist };
  const credentials = { ...sealHeaders(ctx, headers, id), authorizationStatus: 'none' as const };
  const server = { ...settings, ...credentials, id, projectId, createdAt: now, updatedAt: now };
  const outcome = await withTransaction(ctx.pool, (tx) => insertMcpServer(tx, server, MCP_SERVERS_PER_PROJECT_MAX));
  if (outcome === 'name_taken') throw new AppError('CONFLICT', `the project has an MCP server named ${name}`);
  if (outcome === 'full') {
    throw new AppError('INVALID_INPUT', `a project can have at most ${MCP_SERVERS_PER_PROJECT_MAX} MCP servers`);
  }
  return server;
}
