import { createHash } from 'node:crypto';
import type { ToolHookType } from './tool-hook.js';

/** One phase of one tool call, as the hooks before left it. */
export interface ToolCall {
  hookType: ToolHookType;
  projectId: string;
  /** The customer's external id. */
  endUserId: string | undefined;
  /** As the client knows it, who may have chosen it. */
  requestId: string;
  /** The turn or step that the call belongs to; never a client's choice. */
  executionId: string;
  toolCallId: string;
  toolName: string;
  /** Text of a JSON object, kept as it came: parsing it would round large numbers. */
  argumentsJson: string;
  /** Text of JSON; only behind the tool. */
  resultJson: string | undefined;
}

/**
 * Names a question to the hook `asker`, or to all of them: equal for the same phase of the same call on the same input.
 * A client's request id is no part of it: under one that comes again, models that number their calls would be answered
 * with what was decided before. The input is: what was allowed once must not let anything else pass.
 */
export function questionOf(asker: string, call: ToolCall): Buffer {
  const { projectId, hookType, executionId, toolCallId, toolName, argumentsJson, resultJson = null } = call;
  const parts = [asker, projectId, hookType, executionId, toolCallId, toolName, argumentsJson, resultJson];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** The body of a hook's request. JSON texts are put in as they are. */
export function hookRequestBody(call: ToolCall, timestamp: string): Buffer {
  const { hookType, requestId, projectId, endUserId, toolCallId, toolName, argumentsJson, resultJson } = call;
  const text = (value: string) => JSON.stringify(value);
  const members = [
    `"hook":${text(hookType)}`,
    `"request_id":${text(requestId)}`,
    `"project_id":${text(projectId)}`,
    ...(endUserId ? [`"end_user_id":${text(endUserId)}`] : []),
    `"tool_call":{"id":${text(toolCallId)},"name":${text(toolName)},"arguments":${argumentsJson}}`,
    ...(resultJson === undefined ? [] : [`"tool_result":${resultJson}`]),
    `"timestamp":${text(timestamp)}`,
  ];
  return Buffer.from(`{${members.join(',')}}`);
}
