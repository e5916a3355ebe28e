import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed } from '@tollgate/runtime';
import { toolError } from '@tollgate/tools';
import type { Context } from '../../context.js';
import { idempotencyKey } from '../../domain/idempotency-key.js';
import { describeFailure } from '../../domain/mcp/describe-failure.js';
import { type McpCall, mcpCallKey } from '../../domain/mcp/mcp-call.js';
import { type McpServer, mcpServerFault } from '../../domain/mcp/mcp-server.js';
import type { Listing, OfferedTool } from '../../domain/mcp/offered-tools.js';
import { redactStrings } from '../../domain/mcp/redaction.js';
import { toToolOutput } from '../../domain/mcp/tool-output.js';
import { abandonMcpCall, claimMcpCall, findMcpCall, keepMcpResult, reclaimMcpCall } from '../../store/mcp/mcp-calls.js';
import { selectMcpServersByName } from '../../store/mcp/mcp-servers.js';
import { withCredentials } from './authorization/with-credentials.js';
import { type ListMcpToolsContext, readListing } from './list-mcp-tools.js';
import { openHeaders } from './server-credentials.js';

type CallMcpToolContext = ListMcpToolsContext;

/** How much longer than a call's timeout its claim lasts: the time to record the result. */
const CLAIM_MARGIN_MS = 10_000;
const POLL_MS = 250;
const ANSWER_MS = 1_000;
/** Less time is not worth a call. */
const CALL_MS_MIN = 100;
/** A result above this size would fill any model's context window. */
const RESULT_CHARS_MAX = 1_048_576;

/**
 * Calls a tool once and records the result as JSON; repeats return the recorded result. A call whose process was lost before it
 * recorded the result is made again only if the server declares that the tool is read-only or idempotent. Otherwise the model
 * learns that the outcome is unknown. The call ends within its time even when the caller disconnects, so that its outcome is
 * known.
 *
 * @param remainingMs the caller's time
 * @param signal ends the wait for another process that is making the call
 */
export async function callMcpTool(
  ctx: CallMcpToolContext,
  call: McpCall,
  remainingMs: number,
  signal: AbortSignal,
): Promise<string> {
  const key = mcpCallKey(call);
  // The caller gets the failure of a slow server before its own deadline.
  const deadline = elapsed() + remainingMs - Math.min(ANSWER_MS, remainingMs / 10);
  const recorded = await findMcpCall(ctx.pool, key);
  if (recorded?.result !== undefined) return recorded.result;
  const [known] = await selectMcpServersByName(ctx.pool, call.projectId, [call.server]);
  const fault = mcpServerFault(known?.server);
  if (!known || fault !== undefined) return unhandled(call, fault ?? '');
  const listing = await readListing(ctx, known, remainingMs);
  if (!listing.ok) return failed(`the tools of the MCP server could not be listed: ${listing.message}`);
  const tool = listing.value.tools.find(({ name }) => name === call.toolName);
  if (!tool) return unhandled(call, 'the MCP server does not offer it');
  const callMs = Math.ceil(deadline - elapsed());
  // Nothing was sent: that is no outcome, so it is not recorded.
  if (callMs < CALL_MS_MIN) return failed('the listing of its tools left no time for the call', true);
  // Throws before the claim: a call that is never made must not look like a lost one.
  openHeaders(ctx, known.server);
  const timeoutMs = Math.min(known.server.timeoutMs, callMs);
  const claimMs = timeoutMs + CLAIM_MARGIN_MS;
  if (!(await claimMcpCall(ctx.pool, key, claimMs))) {
    const earlier = await awaitEarlierCall(ctx, key, tool, { claimMs, signal });
    if (earlier !== undefined) return earlier;
  }
  try {
    const target = { ...known.server, timeoutMs };
    return await keepMcpResult(
      ctx.pool,
      key,
      await makeCall(ctx, { ...target, version: listing.value.version }, tool, call),
    );
  } catch (error) {
    // The process stops, and the tool may have run. Another process repeats the call by the rules of lost calls.
    await abandonMcpCall(ctx.pool, key);
    throw error;
  }
}

/** Waits for the process that is making the call. Returns undefined when this process has taken the call over. */
async function awaitEarlierCall(
  { pool }: Pick<Context, 'pool'>,
  key: Buffer,
  { isRepeatable }: OfferedTool,
  { claimMs, signal }: { claimMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  for (;;) {
    const earlier = await findMcpCall(pool, key);
    if (earlier?.result !== undefined) return earlier.result;
    // A row is deleted only long after the end of its run.
    if (!earlier || (earlier.isLost && !isRepeatable)) {
      return await keepMcpResult(pool, key, failed('the outcome of the call is unknown, and it was not repeated'));
    }
    if (earlier.isLost && (await reclaimMcpCall(pool, key, claimMs))) return undefined;
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function makeCall(
  ctx: CallMcpToolContext,
  server: McpServer & Pick<Listing, 'version'>,
  { tool, headerParams }: OfferedTool,
  call: McpCall,
): Promise<string> {
  const started = elapsed();
  const args = JSON.parse(call.argumentsJson) as Record<string, unknown>;
  const { reply, redact } = await withCredentials(ctx, server, server.timeoutMs, (headers, timeoutMs) =>
    ctx.mcp.callTool(
      { url: server.endpointUrl, headers, timeoutMs, version: server.version },
      { tool, arguments: args, headerParams, idempotencyKey: idempotencyKey(call) },
    ),
  );
  const error = reply.ok ? undefined : describeFailure(reply, redact);
  logCall(ctx, server, call, { latencyMs: elapsed() - started, error });
  if (!reply.ok) {
    // The server's text says what is wrong with the call: the model can correct it.
    const message = describeFailure(reply, redact);
    return failed(reply.isTimeout ? `${message}; the tool may have run` : message, reply.isTimeout);
  }
  const result = JSON.stringify(toToolOutput(redactStrings(reply.value, redact)));
  return result.length <= RESULT_CHARS_MAX ? result : tooLarge();
}

/** Omits the call's contents and the URL's path and query, which may hold secrets. */
function logCall(
  { logger }: Pick<Context, 'logger'>,
  { id, projectId, name, endpointUrl }: McpServer,
  { executionId, toolCallId, toolName }: McpCall,
  { latencyMs, error }: { latencyMs: number; error: string | undefined },
): void {
  logger.info(
    {
      project_id: projectId,
      mcp_server_id: id,
      mcp_server: name,
      endpoint_host: new URL(endpointUrl).host,
      request_id: executionId,
      tool_call_id: toolCallId,
      tool: toolName,
      latency_ms: Math.round(latencyMs),
      ...(error !== undefined && { error }),
    },
    'MCP tool call',
  );
}

function failed(message: string, isTimeout = false): string {
  return JSON.stringify(toolError(isTimeout ? 'PROVIDER_TIMEOUT' : 'PROVIDER_ERROR', message));
}

function unhandled({ toolName }: McpCall, reason: string): string {
  return JSON.stringify(toolError('TOOL_UNHANDLED', `${toolName} was not run: ${reason}`));
}

function tooLarge(): string {
  return JSON.stringify(toolError('PAYLOAD_TOO_LARGE', 'the result of the MCP server is too large'));
}
