import { elapsed } from '@tollgate/runtime';
import type { McpReply } from '../../clients/mcp-failure.js';
import type { Context } from '../../context.js';
import { describeFailure } from '../../domain/mcp/describe-failure.js';
import type { McpServer } from '../../domain/mcp/mcp-server.js';
import { judgeTools, type Listing } from '../../domain/mcp/offered-tools.js';
import { storeListing } from '../../store/mcp/mcp-servers.js';
import { withCredentials } from './authorization/with-credentials.js';
import { limitChecks } from './limit-checks.js';

export type ListServerToolsContext = Pick<
  Context,
  'clock' | 'keyring' | 'logger' | 'mcp' | 'mcpOAuth' | 'pool' | 'schemas'
>;

/** Lists the tools of a server now, within `timeoutMs`, and stores the listing. Never throws for a failure of the server. */
export async function listServerTools(
  ctx: ListServerToolsContext,
  server: McpServer,
  timeoutMs: number,
): Promise<McpReply<Listing>> {
  const started = elapsed();
  const { reply, redact } = await withCredentials(ctx, server, timeoutMs, (headers, ms) =>
    ctx.mcp.listTools({ url: server.endpointUrl, headers, timeoutMs: ms }),
  );
  logListing(ctx, server, elapsed() - started, reply.ok ? undefined : describeFailure(reply, redact));
  if (!reply.ok) return { ...reply, serverText: describeFailure(reply, redact) };
  const check = limitChecks((schema, ms) => ctx.schemas.check(server.projectId, schema, ms));
  const listing = await judgeTools(server, reply.value, { check, redact });
  await storeListing(ctx.pool, server, listing, ctx.clock.now());
  return { ok: true, value: listing };
}

/** Omits the URL's path and query, which may hold secrets. */
function logListing(
  { logger }: Pick<Context, 'logger'>,
  { id, projectId, name, endpointUrl }: McpServer,
  latencyMs: number,
  error: string | undefined,
): void {
  logger.info(
    {
      project_id: projectId,
      mcp_server_id: id,
      mcp_server: name,
      endpoint_host: new URL(endpointUrl).host,
      latency_ms: Math.round(latencyMs),
      ...(error !== undefined && { error }),
    },
    'MCP tools listed',
  );
}
