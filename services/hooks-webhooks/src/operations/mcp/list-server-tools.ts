import { elapsed } from '@tollgate/runtime';
import type { SchemaCheck } from '@tollgate/tools/schema-thread';
import type { McpReply } from '../../clients/mcp-failure.js';
import type { Context } from '../../context.js';
import { describeFailure } from '../../domain/mcp/describe-failure.js';
import type { McpServer } from '../../domain/mcp/mcp-server.js';
import { type CheckSchema, judgeTools, type Listing } from '../../domain/mcp/offered-tools.js';
import { storeListing } from '../../store/mcp/mcp-servers.js';
import { withCredentials } from './authorization/with-credentials.js';

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

/** For all schemas of one listing. Ordinary schemas take a few milliseconds each. */
const CHECKS_MS_MAX = 2_000;
/** For the parts of all checks beyond the time of an ordinary one: slow schemas do not use up the time of the others. */
const SLOW_MS_MAX = 500;
const ORDINARY_MS = 10;

type Check = (schema: Readonly<Record<string, unknown>>, timeoutMs: number) => Promise<SchemaCheck>;

/** Returns a check that refuses a listing's schemas when the time of the listing is over. Waiting takes none of that time. */
export function limitChecks(check: Check, { totalMs = CHECKS_MS_MAX, slowMs = SLOW_MS_MAX } = {}): CheckSchema {
  let remainingMs = totalMs;
  let remainingSlowMs = slowMs;
  return async (schema) => {
    if (remainingMs < 1) return 'was not checked: the schemas of the server take too long to check together';
    const { fault, ms } = await check(schema, Math.min(remainingMs, ORDINARY_MS + remainingSlowMs));
    remainingMs -= ms;
    remainingSlowMs -= Math.min(remainingSlowMs, Math.max(0, ms - ORDINARY_MS));
    return fault;
  };
}
