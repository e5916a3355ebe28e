import type { Context } from '../context.js';
import { readConnectionsFile } from '../providers/connections/connections-file.js';

/**
 * Reads CONNECTIONS_FILE again and makes its connections those of this process. A file that cannot be used is logged once, and the
 * connections stay as they were.
 */
export async function reloadConnections(
  ctx: Pick<Context, 'config' | 'connections' | 'connectionsFile' | 'logger'>,
): Promise<void> {
  const { config, connections, connectionsFile: state, logger } = ctx;
  const { connectionsSource: source, defaultConnections } = config;
  if (source === undefined) return;
  try {
    connections.replace([...defaultConnections, ...readConnectionsFile(source)]);
    if (state.problem !== '') logger.info({ file: source.file }, 'connections file valid again');
    state.problem = '';
  } catch (error) {
    const problem = (error as Error).message;
    if (problem !== state.problem) logger.error({ problem }, 'connections file not used; the last good one stays');
    state.problem = problem;
  }
}
