import { createHash } from 'node:crypto';

/**
 * Returns the key that owners' hooks and MCP servers recognize a call by: equal for all tries of one call, in every phase, at
 * hooks and at servers; different for any other call.
 */
export function idempotencyKey(call: {
  projectId: string;
  executionId: string;
  toolCallId: string;
  callId?: string | undefined;
}): string {
  const { projectId, executionId, toolCallId, callId = toolCallId } = call;
  return createHash('sha256')
    .update(JSON.stringify([projectId, executionId, callId]))
    .digest('hex');
}
