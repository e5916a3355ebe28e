import { AppError } from '@tollgate/errors';
import { LATE, within } from '@tollgate/runtime';
import type { McpReply } from '../../clients/mcp-failure.js';
import type { Context } from '../../context.js';
import { MCP_SERVERS_PER_LISTING_MAX, mcpServerFault } from '../../domain/mcp/mcp-server.js';
import type { Listing } from '../../domain/mcp/offered-tools.js';
import { type ListedMcpServer, selectMcpServersByName } from '../../store/mcp/mcp-servers.js';
import { type ListServerToolsContext, listServerTools } from './list-server-tools.js';

/** How long a listing is used. A change of the server's settings discards it at once. */
const LISTING_TTL_MS = 300_000;
const ANSWER_MS = 1_000;

export type ListMcpToolsContext = ListServerToolsContext & Pick<Context, 'listings'>;

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
  ctx: ListMcpToolsContext,
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

/** Returns the tools of one server that was selected by its name. Waits with others for a listing that is in progress. */
export async function readListing(
  ctx: ListMcpToolsContext,
  known: ListedMcpServer | undefined,
  remainingMs: number,
): Promise<McpReply<Listing>> {
  const fault = mcpServerFault(known?.server);
  if (!known || fault !== undefined) return unlisted(fault ?? '');
  const { server, listing, listedAt } = known;
  const isFresh = listedAt && ctx.clock.now().getTime() - listedAt.getTime() < LISTING_TTL_MS;
  if (listing && isFresh) return { ok: true, value: listing };
  // The caller gets the failure of a slow server before its own deadline.
  const waitMs = Math.max(1, Math.floor(remainingMs - Math.min(ANSWER_MS, remainingMs / 10)));
  // A listing in progress is joined if it uses the same settings.
  const key = `${server.id} ${server.updatedAt.getTime()}`;
  const shared = ctx.listings.get(key, () => listServerTools(ctx, server, server.timeoutMs));
  const reply = await within(Promise.resolve(shared), waitMs);
  if (reply !== LATE) return reply;
  return { ...unlisted(`no complete answer within ${waitMs} ms`), isTimeout: true, isRetryable: true };
}

function unlisted(message: string): McpReply<never> & { ok: false } {
  return { ok: false, message, isTimeout: false, isRetryable: false, status: undefined };
}
