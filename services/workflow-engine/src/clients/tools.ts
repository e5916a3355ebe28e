import type { ResponsesBody } from '@tollgate/api';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { ExecuteToolResponse, ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { isAppError } from '@tollgate/errors';
import { type Client, startCall } from '@tollgate/rpc';
import { canonicalToolName, parseToolState, type ToolState, underscoredToolName } from '@tollgate/tools';
import type { RunFailure } from '../domain/failure.js';
import type { AgentPin } from '../domain/plan/plan.js';
import { failureOfError } from '../domain/step/answer-reader.js';
import type { ToolReply } from '../domain/tools/run-state-tool.js';
import type { StateScope } from '../domain/tools/state-scope.js';
import type { ToolCall } from '../domain/tools/tool-calls.js';

export interface ToolExecution {
  /** Of the model step that asked for the call: with the call's id it makes the execution recognisable. */
  holdId: string;
  runId: string;
  call: ToolCall;
  request: ResponsesBody;
  scope: StateScope;
  /** The run's own state, where that is the tool's scope. */
  state: ToolState | undefined;
  principal: Principal;
  /** The hook that executes an agent's tool. */
  hookId: string | undefined;
  /** The agent on whose behalf the tool acts. */
  agent: AgentPin | undefined;
  /** 1, and one more for every further try: each of them is a call of its own. */
  attempt: number;
  remainingMs: number;
  /** Why the call failed when that time is up. */
  timeout: RunFailure;
  signal: AbortSignal;
}

/** `left`: the node is not ours any more. A throw means "try again later", under the same ids. */
export type ToolOutcome =
  | { kind: 'answered'; reply: ToolReply; costMicrocents: bigint; modelId: string | null }
  | { kind: 'unhandled' }
  | { kind: 'failed'; failure: RunFailure }
  | { kind: 'left' };

/** Has one tool call executed, hooks included. */
export async function executeTool(tools: Client<typeof ToolService>, execution: ToolExecution): Promise<ToolOutcome> {
  const { holdId, principal, call, signal, remainingMs } = execution;
  const rpc = startCall({ requestId: holdId, principal, timeoutMs: Math.max(1, remainingMs), signal });
  const imageModel = imageModelOf(execution);
  try {
    const answer = await tools.executeTool(requestOf(execution, imageModel), rpc);
    if (!answer.handled) return { kind: 'unhandled' };
    const { costMicrocents } = answer;
    return { kind: 'answered', reply: replyOf(answer, call), costMicrocents, modelId: imageModel || null };
  } catch (error) {
    if (signal.aborted) return { kind: 'left' };
    if (rpc.remainingMs() <= 0) {
      return { kind: 'failed', failure: execution.timeout };
    }
    // A hook that must not fail stops the node, also when it may be reached again later.
    if (isAppError(error) && (!error.retryable || error.code === 'HOOK_FAILED')) {
      return { kind: 'failed', failure: failureOfError(error) };
    }
    throw error;
  }
}

function replyOf(answer: ExecuteToolResponse, call: ToolCall): ToolReply {
  const { output, errorCode, runStateJson, changedKey } = answer;
  const reply = { output, errorCode, arguments: answer.arguments || call.arguments };
  if (runStateJson.length === 0) return reply;
  return { ...reply, write: { state: parseToolState(Buffer.from(runStateJson).toString('utf8')), changedKey } };
}

function requestOf(execution: ToolExecution, imageModel: string) {
  const { holdId, runId, call, request, scope, state, hookId, agent, attempt } = execution;
  return {
    holdId,
    toolCallId: attempt === 1 ? call.tool_call_id : `${call.tool_call_id}.${attempt}`,
    hookId: hookId ?? '',
    name: call.name,
    arguments: call.arguments,
    parametersJson: parametersOf(call, request),
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

/** What the client declared the tool's arguments to be; both spellings of a name are one tool. */
function parametersOf(call: ToolCall, { tools = [] }: ResponsesBody): Uint8Array {
  const name = underscoredToolName(call.name);
  const declared = tools.find((tool) => tool.function && underscoredToolName(tool.function.name) === name);
  const parameters = declared?.function?.parameters;
  return parameters ? Buffer.from(JSON.stringify(parameters)) : new Uint8Array(0);
}

function imageModelOf({ call, request }: ToolExecution): string {
  if (canonicalToolName(call.name) !== 'image_generation') return '';
  return request.tools?.find((tool) => tool.image_generation)?.image_generation?.model ?? '';
}
