import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { checkUrl } from '@tollgate/safe-fetch';
import type { Context } from '../../context.js';
import type { EndpointRules } from '../../domain/endpoint-rules.js';
import {
  MCP_SERVERS_PER_PROJECT_MAX,
  MCP_TIMEOUT_MS_DEFAULT,
  type McpHeaders,
  type McpServer,
} from '../../domain/mcp/mcp-server.js';
import { mcpServerSettingsFault, type ProposedMcpServer } from '../../domain/mcp/mcp-server-rules.js';
import { findMcpServer, insertMcpServer, updateMcpServer as update } from '../../store/mcp/mcp-servers.js';
import { sealHeaders } from './server-credentials.js';

type WriteContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool'>;

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
  ctx: WriteContext,
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

/** @throws AppError NOT_FOUND, including for a server of another project */
export async function requireMcpServer(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<McpServer> {
  const server = await findMcpServer(ctx.pool, projectId, id);
  if (!server) throw mcpServerNotFound();
  return server;
}

export function mcpServerNotFound(): AppError {
  return new AppError('NOT_FOUND', 'MCP server not found');
}

interface UpdateMcpServerCommand {
  endpointUrl?: string | undefined;
  /** Replaces all headers. */
  headers?: McpHeaders | undefined;
  enabled?: boolean | undefined;
  timeoutMs?: number | undefined;
  toolsAllowlist?: readonly string[] | undefined;
}

/**
 * Changes only the given settings. A new address does not get the headers of the old one: its owner may be another.
 */
export async function updateMcpServer(
  ctx: WriteContext,
  projectId: string,
  id: string,
  command: UpdateMcpServerCommand,
): Promise<McpServer> {
  const before = await requireMcpServer(ctx, projectId, id);
  const { endpointUrl = before.endpointUrl, timeoutMs = before.timeoutMs, enabled = before.enabled } = command;
  const toolsAllowlist = [...new Set(command.toolsAllowlist ?? before.toolsAllowlist)];
  const proposed = { name: before.name, endpointUrl, timeoutMs, toolsAllowlist, headers: command.headers };
  checkMcpServer(proposed, ctx.endpointRules);
  const isMoved = new URL(endpointUrl).origin !== new URL(before.endpointUrl).origin;
  const headers = command.headers ?? (isMoved ? {} : undefined);
  const server = await update(ctx.pool, projectId, before.id, {
    endpointUrl,
    enabled,
    timeoutMs,
    toolsAllowlist,
    credentials: headers && sealHeaders(ctx, headers, before.id),
    updatedAt: ctx.clock.now(),
    basedOn: before.updatedAt,
  });
  if (server) return server;
  // Another update may have moved the server: the headers of one host must not reach the other.
  await requireMcpServer(ctx, projectId, id);
  throw new AppError('CONFLICT', 'the MCP server was changed by another request: read it, then try again');
}

/** @throws AppError VALIDATION_ERROR naming the first invalid field */
function checkMcpServer(proposed: ProposedMcpServer, rules: EndpointRules): void {
  const fault = mcpServerSettingsFault(proposed, rules);
  if (fault) throw invalid(fault.field, fault.message);
  // Checks the text only; the addresses of a host name are checked at every call.
  const refusal = checkUrl(proposed.endpointUrl, rules);
  if (refusal) throw invalid('endpoint_url', `endpoint_url is not allowed: ${refusal.message}`);
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
