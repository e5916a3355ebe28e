import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { mcpServerFault } from '../../domain/mcp/mcp-server.js';
import { selectMcpServersByName } from '../../store/mcp/mcp-servers.js';

/** The maximum number of tools of an agent. */
const NAMES_MAX = 128;

/** Returns for each name why its server cannot be used; empty text when it can. */
export async function checkMcpServers(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length > NAMES_MAX)
    throw new AppError('INVALID_INPUT', `at most ${NAMES_MAX} names are allowed in one call`);
  const known = await selectMcpServersByName(ctx.pool, projectId, names);
  const byName = new Map(known.map(({ server }) => [server.name, server]));
  return names.map((name) => mcpServerFault(byName.get(name)) ?? '');
}
