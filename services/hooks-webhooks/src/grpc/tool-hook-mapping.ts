import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  HookDecision,
  type RunToolHooksResponseSchema,
  type ToolHookEventSchema,
  type ToolHookSchema,
} from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import type { PhaseAnswer } from '../domain/tool-hooks/hook-chain.js';
import type { ToolHook, ToolHookEvent } from '../domain/tool-hooks/tool-hook.js';

export function toolHookToProto(hook: ToolHook): MessageInitShape<typeof ToolHookSchema> {
  const { secret: _, createdAt, updatedAt, ...fields } = hook;
  return { ...fields, createdAt: timestampFromDate(createdAt), updatedAt: timestampFromDate(updatedAt) };
}

export function toolHookEventToProto(event: ToolHookEvent): MessageInitShape<typeof ToolHookEventSchema> {
  const { hookId, responseStatus, error, createdAt, ...fields } = event;
  return {
    ...fields,
    hookConfigId: hookId,
    ...(responseStatus !== undefined && { responseStatus }),
    ...(error !== undefined && { error }),
    createdAt: timestampFromDate(createdAt),
  };
}

export function phaseAnswerToProto(answer: PhaseAnswer): MessageInitShape<typeof RunToolHooksResponseSchema> {
  switch (answer.kind) {
    case 'none':
      return { decision: HookDecision.NONE };
    case 'allow': {
      const { toolName, argumentsJson, resultJson = '', failure: error = '' } = answer;
      return { decision: HookDecision.ALLOW, toolName, argumentsJson, resultJson, error };
    }
    case 'block':
      return { decision: HookDecision.BLOCK, error: answer.error };
    case 'result':
      return { decision: HookDecision.RESULT, resultJson: answer.resultJson };
    case 'failed':
      return { decision: HookDecision.FAILED, error: answer.error, retryable: answer.isRetryable };
    case 'unavailable':
      return { decision: HookDecision.UNAVAILABLE, error: answer.error };
  }
}
