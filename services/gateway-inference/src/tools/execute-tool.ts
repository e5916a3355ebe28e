import { AppError, asAppError } from '@tollgate/errors';
import { parseExactJson, writeExactJson } from '@tollgate/runtime';
import { canonicalToolName, checkToolArguments, toolError, underscoredToolName } from '@tollgate/tools';
import type { Context } from '../context.js';
import type { ToolOutcome } from '../domain/turn-tools.js';
import { runServerTool, type ServerToolContext } from './server-tools.js';
import { isPassing, toToolError } from './tool-failure.js';
import { askBoundHook, askToolHooks, type HookAnswer, type HookQuestion } from './tool-hooks.js';
import type { ToolRun } from './tool-run.js';

/** The parts of the context that a tool call and its hooks use. */
export type ToolCallContext = ServerToolContext & Pick<Context, 'mcpServers' | 'schemas' | 'toolHooks'>;

/** A tool call, as the model made it. */
interface ToolRequest {
  /** Any spelling. */
  name: string;
  /** A string of JSON. */
  argumentsJson: string;
  /** Only this hook runs the tool. Absent: the tool runs by its name. */
  hookId?: string | undefined;
  /** The tool is one of this MCP server's. */
  mcpServer?: string | undefined;
  /** The client's own JSON Schema of the arguments. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

export interface ExecutedTool extends ToolOutcome {
  /** The arguments after the hooks' changes. */
  argumentsJson: string;
}

/** Results above this size would fill any model's context window. */
const OUTPUT_CHARS_MAX = 1024 * 1024;

/**
 * Runs one tool call: pre-tool hooks, the tool or the hook that executes it, post-tool hooks. A refusal by the tool or a hook
 * is an output; so is a tool's failure, which the model may handle.
 *
 * @throws AppError HOOK_FAILED; HooksUnavailable; the error of another unavailable dependency; the reason of an aborted call
 */
export async function executeTool(ctx: ToolCallContext, request: ToolRequest, run: ToolRun): Promise<ExecutedTool> {
  const asked = {
    ...request,
    name: underscoredToolName(request.name),
    argumentsJson: request.argumentsJson.trim() || '{}',
  };
  const { argumentsJson } = asked;
  if (!isJsonObject(argumentsJson)) {
    return { output: toolError('INVALID_INPUT', 'the arguments must be a JSON object'), argumentsJson };
  }
  const before = await ask(ctx, run, { hookType: 'pre_tool_use', toolName: asked.name, argumentsJson });
  if (before.kind === 'block') return { output: blocked(before.reason), argumentsJson };
  return await executeAllowed(ctx, before.kind === 'go' ? changed(asked, before) : asked, run);
}

async function executeAllowed(ctx: ToolCallContext, asked: ToolRequest, run: ToolRun): Promise<ExecutedTool> {
  const { name, argumentsJson, hookId } = asked;
  const fault = await argumentsFault(ctx, asked, run);
  if (fault) return { output: fault, argumentsJson };
  if (hookId) return await executeByHook(ctx, asked, run, hookId);
  const execution = await ask(ctx, run, { hookType: 'tool_execute', toolName: name, argumentsJson });
  if (execution.kind === 'block') return { output: blocked(execution.reason), argumentsJson };
  if (execution.kind === 'result') return await finish(ctx, asked, run, { output: parseJson(execution.resultJson) });
  const call = changed(asked, execution);
  const again = await argumentsFault(ctx, call, run);
  if (again) return { output: again, argumentsJson: call.argumentsJson };
  return await finish(ctx, call, run, await runOwn(ctx, call, run, execution.failure));
}

/** A tool that is bound to a hook never falls back to the tool of the same name. */
async function executeByHook(
  ctx: Pick<Context, 'toolHooks'>,
  asked: ToolRequest,
  run: ToolRun,
  hookId: string,
): Promise<ExecutedTool> {
  const { name, argumentsJson } = asked;
  const question = { hookType: 'tool_execute' as const, toolName: name, argumentsJson };
  const execution = await askBoundHook(ctx.toolHooks, { ...question, ...toHookIds(run), hookId }, run.call);
  switch (execution.kind) {
    case 'block':
      return { output: blocked(execution.reason), argumentsJson };
    case 'failed':
      return { ...hookFailed(name, execution.reason), argumentsJson };
    case 'unhandled':
      return { output: toolError('TOOL_UNHANDLED', `${name} was not run: ${execution.reason}`), argumentsJson };
    case 'result':
      return await finish(ctx, asked, run, { output: parseJson(execution.resultJson) });
  }
}

/** Returns the call with the hooks' changes. Another tool has neither the client's schema nor the MCP server. */
function changed(
  call: ToolRequest,
  { toolName, argumentsJson }: { toolName: string; argumentsJson: string },
): ToolRequest {
  const isSame = toolName === call.name;
  const own = isSame ? {} : { parameters: undefined, mcpServer: undefined };
  return { ...call, name: toolName, argumentsJson, ...own };
}

async function runOwn(
  ctx: ServerToolContext & Pick<Context, 'mcpServers'>,
  { name, argumentsJson, mcpServer }: ToolRequest,
  run: ToolRun,
  hookFailure: string | undefined,
): Promise<ToolOutcome> {
  if (mcpServer !== undefined) return await callMcpTool(ctx, { server: mcpServer, name, argumentsJson }, run);
  const serverTool = canonicalToolName(name);
  if (!serverTool) {
    const error = toolError('TOOL_UNHANDLED', `no hook or server tool runs ${name}`);
    return hookFailure === undefined ? { output: error } : hookFailed(name, hookFailure);
  }
  const checked = checkToolArguments(serverTool, parseExactJson(argumentsJson));
  if (!checked.ok) return { output: checked.error };
  try {
    return await runServerTool(ctx, serverTool, checked.arguments, run);
  } catch (thrown) {
    const error = asAppError(thrown);
    if (run.call.isAborted || isPassing(error)) throw error;
    return { output: toToolError(error, run.call) };
  }
}

/** Post-tool hooks see the same result as the model. */
async function finish(
  ctx: Pick<Context, 'toolHooks'>,
  { name, argumentsJson }: ToolRequest,
  run: ToolRun,
  outcome: ToolOutcome,
): Promise<ExecutedTool> {
  const seen = writeExactJson(outcome.modelOutput ?? outcome.output);
  if (seen.length > OUTPUT_CHARS_MAX) {
    return { output: toolError('PAYLOAD_TOO_LARGE', 'the result is too large'), argumentsJson };
  }
  const question = { hookType: 'post_tool_use' as const, toolName: name, argumentsJson, toolResultJson: seen };
  const after = await ask(ctx, run, question);
  if (after.kind !== 'block' && (after.resultJson === '' || after.resultJson === seen)) {
    return { ...outcome, argumentsJson };
  }
  const output = after.kind === 'block' ? blocked(after.reason) : parseJson(after.resultJson);
  const { costMicrocents } = outcome;
  return { output, argumentsJson, ...(costMicrocents === undefined ? {} : { costMicrocents }) };
}

function ask(
  { toolHooks }: Pick<Context, 'toolHooks'>,
  run: ToolRun,
  question: Omit<HookQuestion, keyof ReturnType<typeof toHookIds>>,
): Promise<HookAnswer> {
  return askToolHooks(toolHooks, { ...question, ...toHookIds(run) }, run.call);
}

function toHookIds({ requestId, holdId: executionId, toolCallId, callId }: ToolRun) {
  return { requestId, executionId, toolCallId, callId: callId ?? toolCallId };
}

/** Checks arguments against the tool's schema and the client's own; called again after hooks that may change them. */
async function argumentsFault(
  { schemas }: Pick<Context, 'schemas'>,
  { name, argumentsJson, parameters }: ToolRequest,
  { call }: ToolRun,
): Promise<ReturnType<typeof toolError> | undefined> {
  const serverTool = canonicalToolName(name);
  if (serverTool) {
    const checked = checkToolArguments(serverTool, parseExactJson(argumentsJson));
    if (!checked.ok) return checked.error;
  }
  if (!parameters) return undefined;
  const { accountId } = call.requirePrincipal();
  const fault = await schemas.findFault(accountId, parameters, argumentsJson, call.signal);
  return fault === undefined ? undefined : toolError('INVALID_INPUT', `invalid arguments: ${fault}`);
}

function isJsonObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function parseJson(json: string): unknown {
  try {
    return parseExactJson(json);
  } catch (cause) {
    throw new AppError('HOOK_FAILED', 'a tool hook failed: its result is not JSON', { cause });
  }
}

/** Another try may succeed: the hook failed, and its owner lets calls continue without it. */
function hookFailed(name: string, reason: string): ToolOutcome {
  return {
    output: toolError('TOOL_UNHANDLED', `${name} was not run: its tool hook failed: ${reason}`),
    mayRetry: true,
  };
}

function blocked(reason: string) {
  return toolError('FORBIDDEN', reason);
}

/** Longer than the timeout of any server, with the listing of its tools. */
const CALL_TIMEOUT_MS = 250_000;

/**
 * Calls a tool of an MCP server. hooks-webhooks has the server's credentials, and records the result before it is used. A
 * failure of the server is a result.
 *
 * @throws AppError when hooks-webhooks is unavailable; the call may be repeated under the same ids
 */
async function callMcpTool(
  { mcpServers }: Pick<Context, 'mcpServers'>,
  { server, name, argumentsJson }: { server: string; name: string; argumentsJson: string },
  { call, holdId: executionId, toolCallId, callId }: ToolRun,
): Promise<ToolOutcome> {
  const request = { server, toolName: name, argumentsJson, executionId, toolCallId, callId: callId ?? toolCallId };
  const { resultJson } = await mcpServers.callMcpTool(request, call.with({ timeoutMs: CALL_TIMEOUT_MS }));
  return { output: parseResult(resultJson) };
}

function parseResult(json: string): unknown {
  try {
    return parseExactJson(json);
  } catch (cause) {
    throw new AppError('INTERNAL_ERROR', 'the result of the MCP server is not JSON', { cause });
  }
}
