import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { McpListing } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import type { ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { isAppError } from '@tollgate/errors';
import { type Client, startCall } from '@tollgate/rpc';
import { z } from 'zod';
import type { McpToolset } from '../domain/tools/mcp-tools.js';
import type { ToolFailure } from '../domain/tools/tool-failure.js';

/** The tools of a node's servers, and why those of some are not known. */
export interface McpListings {
  tools: McpToolset;
  failures: ToolFailure[];
}

const parameters = z.record(z.string(), z.unknown());

/** A deadline is a little earlier at each service on the way, and the first one to notice it reports it. */
const DEADLINE_MARGIN_MS = 250;

/**
 * Lists the tools of MCP servers. Servers that use up the time fail: waiting again would take as long. Throws when the call
 * should be made again later.
 */
export async function listMcpTools(
  tools: Client<typeof ToolService>,
  servers: readonly string[],
  by: { principal: Principal; traceparent: string | undefined; timeoutMs: number; signal: AbortSignal },
): Promise<McpListings> {
  const call = startCall(by);
  try {
    const { listings } = await tools.listMcpTools({ servers: [...servers] }, call);
    return { tools: listings.flatMap(toTools), failures: listings.flatMap(toFailures) };
  } catch (error) {
    const isLate = isAppError(error) && error.code === 'RELAY_TIMEOUT' && call.remainingMs() <= DEADLINE_MARGIN_MS;
    if (!isLate || by.signal.aborted) throw error;
    const message = `the tools of the MCP servers ${servers.join(', ')} were not listed within ${by.timeoutMs} ms`;
    return { tools: [], failures: [{ code: 'PROVIDER_TIMEOUT', message, isAnswer: false }] };
  }
}

function toTools({ tools }: McpListing): McpToolset {
  return tools.map(({ name, description, parametersJson }) => ({
    name,
    description,
    parameters: parameters.parse(JSON.parse(parametersJson)),
  }));
}

function toFailures({ server, error, retryable }: McpListing): ToolFailure[] {
  if (error === '') return [];
  const code = retryable ? 'PROVIDER_ERROR' : 'TOOL_UNHANDLED';
  return [{ code, message: `the tools of the MCP server ${server} are not available: ${error}`, isAnswer: false }];
}
