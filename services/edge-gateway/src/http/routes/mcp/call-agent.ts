import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { agentSlugSchema, agentToolArguments } from '@tollgate/api/runs';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { isAppError } from '@tollgate/errors';
import type { z } from 'zod';
import { awaitRunEnd } from '../agents/agent-runs.js';
import { type McpCaller, toCallKey } from './mcp-caller.js';
import { Progress } from './progress.js';
import { reportProgress } from './report-progress.js';
import { toSlug } from './tool-names.js';
import { invalidArguments, toErrorResult, toToolResult } from './tool-result.js';

/**
 * Runs the agent that the tool's name names, with the caller's identity and money. The run continues when the client
 * disconnects; only a cancellation ends it.
 *
 * @throws ProtocolError for a name that is no agent's
 */
export async function callAgent(
  caller: McpCaller,
  { name, arguments: args }: CallToolRequest['params'],
  { id, _meta: meta, notify }: Pick<ServerContext['mcpReq'], 'id' | '_meta' | 'notify'>,
): Promise<CallToolResult> {
  if (!agentSlugSchema.safeParse(name).success) throw unknownTool();
  const { ctx, call } = caller;
  const progressToken = meta?.progressToken;
  const progress = progressToken === undefined ? undefined : new Progress({ progressToken, send: notify });
  try {
    const slug = await toSlug(caller, name);
    const input = await readInput(caller, slug, args ?? {});
    if (input.fault !== undefined) return invalidArguments(input.fault);
    const runId = await startRun(caller, slug, input.text, toCallKey(caller.scope, id) ?? '');
    if (progress) await reportProgress(ctx, runId, progress, call);
    return toToolResult(caller, await awaitRunEnd(ctx, runId, call));
  } catch (error) {
    if (isUnknownAgent(error)) throw unknownTool();
    return toErrorResult(caller, error);
  } finally {
    progress?.end();
  }
}

type AgentInput = { text: string; fault?: undefined } | { fault: string };

/** Returns the arguments as the agent's input: free text, or the JSON that its declared schema describes. */
async function readInput({ ctx, call }: McpCaller, slug: string, args: Record<string, unknown>): Promise<AgentInput> {
  const { snapshot } = await ctx.clients.agents.resolveAgent({ by: { case: 'reference', value: slug } }, call);
  const declared = snapshot?.version?.inputSchemaJson;
  if (!declared) {
    const parsed = agentToolArguments.safeParse(args);
    return parsed.success ? { text: parsed.data.input } : { fault: describeIssues(parsed.error) };
  }
  const text = JSON.stringify(args);
  const fault = await ctx.schemas.findFault(call.requirePrincipal().accountId, JSON.parse(declared), text, call.signal);
  return fault === undefined ? { text } : { fault };
}

function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${['arguments', ...path].join('.')}: ${message}`).join('; ');
}

async function startRun({ ctx, call }: McpCaller, slug: string, text: string, idempotencyKey: string): Promise<string> {
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }];
  const inputJson = Buffer.from(JSON.stringify(input));
  const request = { slug, mode: AgentRunMode.RUN, inputJson, options: {}, idempotencyKey, keyUntilEnd: true };
  return (await ctx.clients.agentRuns.startAgentRun(request, call)).runId;
}

function isUnknownAgent(error: unknown): boolean {
  return isAppError(error) && error.code === 'NOT_FOUND' && error.message === 'agent not found';
}

function unknownTool(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'no such tool: tools/list names the agents of this project',
  );
}
