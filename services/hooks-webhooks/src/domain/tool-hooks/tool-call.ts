import { createHash } from 'node:crypto';
import { idempotencyKey } from '../idempotency-key.js';
import type { ToolHookType } from './tool-hook.js';

/** One phase of one tool call, as earlier hooks left it. */
export interface ToolCall {
  hookType: ToolHookType;
  projectId: string;
  /** The customer's external id. */
  endUserId: string | undefined;
  /** The client's request id, which the client may have chosen. */
  requestId: string;
  /** The turn or step that the call belongs to; never chosen by a client. */
  executionId: string;
  toolCallId: string;
  /** The id as the model made the call: the same for every try, while `toolCallId` differs. */
  callId?: string | undefined;
  toolName: string;
  /** Text of a JSON object, kept verbatim because parsing would round large numbers. */
  argumentsJson: string;
  /** JSON text; only for post_tool_use. */
  resultJson: string | undefined;
  /** W3C context of the call; no part of the question. */
  traceparent?: string | undefined;
}

/**
 * Returns the key of a question to the hook `asker`, or to all hooks: equal for the same phase of the same call with
 * the same input. Excludes the client's request id: when a client reuses one, a model that numbers its calls would get
 * earlier decisions. Includes the input: an earlier permission must not apply to other arguments.
 */
export function questionKey(asker: string, call: ToolCall): Buffer {
  const { projectId, hookType, executionId, toolCallId, toolName, argumentsJson, resultJson = null } = call;
  const parts = [asker, projectId, hookType, executionId, toolCallId, toolName, argumentsJson, resultJson];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** Builds the body of a hook's request. Embeds JSON texts verbatim. */
export function hookRequestBody(call: ToolCall, timestamp: string): Buffer {
  const { hookType, requestId, projectId, endUserId, toolCallId, toolName, argumentsJson, resultJson } = call;
  const text = (value: string) => JSON.stringify(value);
  const members = [
    `"hook":${text(hookType)}`,
    `"request_id":${text(requestId)}`,
    `"idempotency_key":${text(idempotencyKey(call))}`,
    `"project_id":${text(projectId)}`,
    ...(endUserId ? [`"end_user_id":${text(endUserId)}`] : []),
    `"tool_call":{"id":${text(toolCallId)},"name":${text(toolName)},"arguments":${argumentsJson}}`,
    ...(resultJson === undefined ? [] : [`"tool_result":${resultJson}`]),
    `"timestamp":${text(timestamp)}`,
  ];
  return Buffer.from(`{${members.join(',')}}`);
}
