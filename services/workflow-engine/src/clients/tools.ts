import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { ExecuteToolResponse, ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { isAppError } from '@tollgate/errors';
import { type Client, startCall } from '@tollgate/rpc';
import { writeExactJson } from '@tollgate/runtime';
import { canonicalToolName, parseToolState, type ToolState, underscoredToolName } from '@tollgate/tools';
import type { RunFailure } from '../domain/failure.js';
import type { AgentPin } from '../domain/plan/plan.js';
import { toFailure } from '../domain/step/answer-reader.js';
import type { ToolReply } from '../domain/tools/run-state-tool.js';
import type { ToolCall } from '../domain/tools/tool-calls.js';
import type { StateScope, ToolSettings } from '../domain/tools/tool-settings.js';

export interface ToolExecution {
  /** Id of the model step that made the call. With the call's id it identifies the execution. */
  holdId: string;
  runId: string;
  call: ToolCall;
  settings: ToolSettings;
  scope: StateScope;
  /** The run's own state, when the scope is the run. */
  state: ToolState | undefined;
  principal: Principal;
  /** W3C context of the run. */
  traceparent?: string | undefined;
  /** The hook that executes an agent's tool. */
  hookId: string | undefined;
  /** The MCP server whose tool is called. */
  mcpServer: string | undefined;
  /** The agent on whose behalf the tool acts. */
  agent: AgentPin | undefined;
  /** Counts the tries from 1. The executor sees each try as a new call. */
  attempt: number;
  remainingMs: number;
  /** The failure to report when that time is over. */
  timeout: RunFailure;
  signal: AbortSignal;
}

/** `left`: the lease of the node is lost, or its run has ended. */
export type ToolOutcome =
  | { kind: 'answered'; reply: ToolReply; costMicrocents: bigint; modelId: string | null }
  | { kind: 'unhandled' }
  | { kind: 'failed'; failure: RunFailure }
  | { kind: 'left' };

/** Executes one tool call with its hooks. Throws when the call should be made again later under the same ids. */
export async function executeTool(tools: Client<typeof ToolService>, execution: ToolExecution): Promise<ToolOutcome> {
  const { holdId, principal, call, signal, remainingMs, traceparent } = execution;
  const rpc = startCall({ requestId: holdId, principal, timeoutMs: Math.max(1, remainingMs), signal, traceparent });
  const imageModel = findImageModel(execution);
  try {
    const answer = await tools.executeTool(toRequest(execution, imageModel), rpc);
    if (!answer.handled) return { kind: 'unhandled' };
    const { costMicrocents } = answer;
    return { kind: 'answered', reply: toReply(answer, call), costMicrocents, modelId: imageModel || null };
  } catch (error) {
    if (signal.aborted) return { kind: 'left' };
    if (rpc.remainingMs() <= 0) {
      return { kind: 'failed', failure: execution.timeout };
    }
    // A failed fail-closed hook stops the node even if the hook may recover.
    if (isAppError(error) && (!error.retryable || error.code === 'HOOK_FAILED')) {
      return { kind: 'failed', failure: toFailure(error) };
    }
    throw error;
  }
}

function toReply(answer: ExecuteToolResponse, call: ToolCall): ToolReply {
  const { output, errorCode, retryable: mayRetry, runStateJson, changedKey } = answer;
  const reply = { output, errorCode, mayRetry, arguments: answer.arguments || call.arguments };
  if (runStateJson.length === 0) return reply;
  return { ...reply, write: { state: parseToolState(Buffer.from(runStateJson).toString('utf8')), changedKey } };
}

function toRequest(execution: ToolExecution, imageModel: string) {
  const { holdId, runId, call, settings, scope, state, hookId, mcpServer, agent, attempt } = execution;
  return {
    holdId,
    toolCallId: attempt === 1 ? call.tool_call_id : `${call.tool_call_id}.${attempt}`,
    callId: call.tool_call_id,
    hookId: hookId ?? '',
    mcpServer: mcpServer ?? '',
    name: call.name,
    arguments: call.arguments,
    parametersJson: findParameters(call, settings),
    imageModel,
    context: {
      runId,
      agentId: agent?.id ?? '',
      agentSlug: agent?.slug ?? '',
      stateId: scope.kind === 'state' ? scope.id : '',
      sessionId: scope.kind === 'session' ? scope.id : '',
      runStateJson: state ? Buffer.from(JSON.stringify(state)) : new Uint8Array(0),
    },
  };
}

/** Returns the JSON Schema that the request declares for the tool's arguments. Both spellings of a name match. */
function findParameters(call: ToolCall, { tools = [] }: ToolSettings): Uint8Array {
  const name = underscoredToolName(call.name);
  const declared = tools.find((tool) => tool.function && underscoredToolName(tool.function.name) === name);
  const parameters = declared?.function?.parameters;
  return parameters ? Buffer.from(writeExactJson(parameters)) : new Uint8Array(0);
}

function findImageModel({ call, settings }: ToolExecution): string {
  if (canonicalToolName(call.name) !== 'image_generation') return '';
  return settings.tools?.find((tool) => tool.image_generation)?.image_generation?.model ?? '';
}
