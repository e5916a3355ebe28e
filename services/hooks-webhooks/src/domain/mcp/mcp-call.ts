import { createHash } from 'node:crypto';

/** One call of a server's tool. */
export interface McpCall {
  projectId: string;
  /** Name of the server. */
  server: string;
  /** The offered name. */
  toolName: string;
  /** Text of a JSON object. */
  argumentsJson: string;
  /** The step that the call belongs to; never chosen by a client. */
  executionId: string;
  toolCallId: string;
  /** The id as the model made the call: the same for every try, while `toolCallId` differs. Default `toolCallId`. */
  callId?: string | undefined;
}

/**
 * Returns the key of a call: equal for repeats of the same call of the same step. Excludes the arguments: a tool hook may change
 * them between two repeats, and the call is still made once.
 */
export function mcpCallKey(call: McpCall): Buffer {
  const { projectId, server, toolName, executionId, toolCallId } = call;
  const parts = [projectId, server, toolName, executionId, toolCallId];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
