import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ExecuteToolRequest, ExecuteToolResponseSchema } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { parseExactJson, writeExactJson } from '@tollgate/runtime';
import { canonicalToolName, isToolError } from '@tollgate/tools';
import type { Context } from '../context.js';
import { type ExecutedTool, executeTool, type ToolCallContext } from '../tools/execute-tool.js';
import { executedByHooks } from '../tools/tool-hooks.js';
import { noScope, PassingScope, type StateScope, toActor, toScope } from '../tools/tool-run.js';

/** Runs one tool call for a caller that journals its own steps. */
export async function executeToolCall(
  ctx: ToolCallContext,
  req: ExecuteToolRequest,
  call: Call,
): Promise<MessageInitShape<typeof ExecuteToolResponseSchema>> {
  if (req.holdId === '' || req.toolCallId === '' || req.name === '') {
    throw new AppError('INVALID_INPUT', 'hold_id, tool_call_id and name are required');
  }
  if (!(await isHandled(ctx, req, call))) return { handled: false };
  const scope = toScope(ctx, req.context, {}, noScope);
  const request = {
    name: req.name,
    argumentsJson: req.arguments,
    hookId: req.hookId || undefined,
    mcpServer: req.mcpServer || undefined,
    parameters: parseParameters(req),
  };
  const executed = await executeTool(ctx, request, {
    call,
    requestId: req.holdId,
    holdId: req.holdId,
    toolCallId: req.toolCallId,
    callId: req.callId || req.toolCallId,
    scope,
    ...toActor(req.context),
    imageModel: req.imageModel || undefined,
  });
  return { ...toResponse(executed), ...runState(scope) };
}

async function isHandled(
  ctx: Pick<Context, 'toolHooks'>,
  { name, hookId, mcpServer }: ExecuteToolRequest,
  call: Call,
): Promise<boolean> {
  if (hookId !== '' || mcpServer !== '' || canonicalToolName(name)) return true;
  return (await executedByHooks(ctx.toolHooks, [name], call)).has(name);
}

function parseParameters({ parametersJson }: ExecuteToolRequest): Record<string, unknown> | undefined {
  if (parametersJson.length === 0) return undefined;
  try {
    const value: unknown = parseExactJson(Buffer.from(parametersJson).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new AppError('INVALID_INPUT', 'parameters_json must be a JSON object');
}

function toResponse({ output, argumentsJson, costMicrocents = 0n, mayRetry = false }: ExecutedTool) {
  return {
    handled: true,
    output: writeExactJson(output),
    errorCode: isToolError(output) ? output.error.code : '',
    arguments: argumentsJson,
    costMicrocents,
    retryable: mayRetry,
  };
}

/** Returns the changed state of a run: its engine stores what the tools wrote. */
function runState(scope: StateScope) {
  if (!(scope instanceof PassingScope) || !scope.change) return {};
  const { change, state } = scope;
  return {
    runStateJson: Buffer.from(JSON.stringify(state)),
    changedKey: change.kind === 'kv' ? change.key : '',
  };
}
