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
}

/** Returns the key of a call: equal for repeats of the same call of the same step with the same arguments. */
export function mcpCallKey(call: McpCall): Buffer {
  const { projectId, server, toolName, argumentsJson, executionId, toolCallId } = call;
  const parts = [projectId, server, toolName, argumentsJson, executionId, toolCallId];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
