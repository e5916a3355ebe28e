import { AppError } from '@tollgate/errors';
import type { McpReply } from '../../clients/mcp-client.js';
import type { Context } from '../../context.js';
import { MCP_SERVERS_PER_LISTING_MAX, mcpServerFault } from '../../domain/mcp/mcp-server.js';
import type { Listing } from '../../domain/mcp/offered-tools.js';
import { type ListedMcpServer, selectMcpServersByName } from '../../store/mcp-servers.js';
import { type ListServerToolsContext, listServerTools } from './list-server-tools.js';

/** How long a listing is used. A change of the server's settings discards it at once. */
const LISTING_TTL_MS = 300_000;

/** The tools of one server, or why they are not known. */
export interface NamedListing {
  name: string;
  reply: McpReply<Listing>;
}

/**
 * Returns the tools of each server in the order of the names, from listings of the last five minutes or from the servers.
 *
 * @param remainingMs the caller's time
 */
export async function listMcpTools(
  ctx: ListServerToolsContext,
  projectId: string,
  names: readonly string[],
  remainingMs: number,
): Promise<NamedListing[]> {
  if (names.length > MCP_SERVERS_PER_LISTING_MAX) {
    throw new AppError('INVALID_INPUT', `at most ${MCP_SERVERS_PER_LISTING_MAX} MCP servers are allowed in one call`);
  }
  const known = await selectMcpServersByName(ctx.pool, projectId, names);
  const byName = new Map(known.map((listed) => [listed.server.name, listed]));
  const list = async (name: string) => ({ name, reply: await readListing(ctx, byName.get(name), remainingMs) });
  return await Promise.all(names.map(list));
}

/** Returns the tools of one server that was selected by its name. */
export async function readListing(
  ctx: ListServerToolsContext & Pick<Context, 'clock'>,
  known: ListedMcpServer | undefined,
  remainingMs: number,
): Promise<McpReply<Listing>> {
  const fault = mcpServerFault(known?.server);
  if (!known || fault !== undefined) {
    return { ok: false, message: fault ?? '', isTimeout: false, isRetryable: false, status: undefined };
  }
  const { server, listing, listedAt } = known;
  const isFresh = listedAt && ctx.clock.now().getTime() - listedAt.getTime() < LISTING_TTL_MS;
  if (listing && isFresh) return { ok: true, value: listing };
  return await listServerTools(ctx, server, Math.max(1, Math.min(server.timeoutMs, remainingMs)));
}
