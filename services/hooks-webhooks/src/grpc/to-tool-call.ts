import type { RunToolHooksRequest } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isJsonObject } from '@tollgate/runtime';
import { parseJson } from '../domain/json-value.js';
import type { ToolCall } from '../domain/tool-hooks/tool-call.js';
import { TOOL_HOOK_TYPES, type ToolHookType } from '../domain/tool-hooks/tool-hook.js';

/** Reads the tool call that hooks decide about, for the project and customer of the caller's principal. */
export function toToolCall(req: RunToolHooksRequest, call: Call): ToolCall {
  const { projectId, customerExternalId } = call.requirePrincipal();
  if (!projectId) throw new AppError('UNAUTHORIZED', 'the credential has no project');
  const { hookType, requestId, executionId, toolCallId, toolName, argumentsJson, toolResultJson, hookId } = req;
  const callId = req.callId || toolCallId;
  if (!(TOOL_HOOK_TYPES as readonly string[]).includes(hookType)) throw invalid('hook_type');
  if (hookId !== '' && hookType !== 'tool_execute') throw invalid('hook_id');
  if (requestId === '') throw invalid('request_id');
  if (toolCallId === '') throw invalid('tool_call_id');
  if (toolName === '') throw invalid('tool_name');
  if (argumentsJson !== '' && !isJsonObject(parseJson(argumentsJson))) throw invalid('arguments_json');
  if (toolResultJson !== '' && parseJson(toolResultJson) === undefined) throw invalid('tool_result_json');
  return {
    hookType: hookType as ToolHookType,
    projectId,
    endUserId: customerExternalId || undefined,
    requestId: requestId.replaceAll('\0', ''),
    executionId: executionId || requestId,
    toolCallId: toolCallId.replaceAll('\0', ''),
    callId,
    toolName,
    argumentsJson: argumentsJson || '{}',
    resultJson: hookType === 'post_tool_use' ? toolResultJson || 'null' : undefined,
    ...(call.traceparent !== undefined && { traceparent: call.traceparent }),
  };
}

function invalid(field: string): AppError {
  return new AppError('INVALID_INPUT', `${field} is missing or invalid`);
}
