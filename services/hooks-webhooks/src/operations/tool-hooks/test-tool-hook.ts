import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.js';
import type { ToolCall } from '../../domain/tool-hooks/tool-call.js';
import type { ToolHook, ToolHookEvent } from '../../domain/tool-hooks/tool-hook.js';
import { insertToolHookEvent } from '../../store/tool-hook-events.js';
import { askHook } from './ask-hook.js';
import { requireToolHook } from './tool-hooks.js';

type TestToolHookContext = Pick<Context, 'clock' | 'hooks' | 'keyring' | 'logger' | 'pool'>;

const SAMPLE_TOOL = 'sample_tool';

/** Sends a sample call to the hook, even when it is disabled, and adds it to the event log. */
export async function testToolHook(
  ctx: TestToolHookContext,
  projectId: string,
  id: string,
  signal: AbortSignal,
): Promise<ToolHookEvent> {
  const hook = await requireToolHook(ctx, projectId, id);
  const { event } = await askHook(ctx, hook, sampleCall(hook), signal);
  await insertToolHookEvent(ctx.pool, event);
  return event;
}

function sampleCall(hook: ToolHook): ToolCall {
  const requestId = randomUUID();
  return {
    hookType: hook.hookType,
    projectId: hook.projectId,
    endUserId: 'sample-customer',
    requestId,
    executionId: requestId,
    toolCallId: `call_${randomUUID()}`,
    toolName: hook.toolsAllowlist[0] ?? SAMPLE_TOOL,
    argumentsJson: '{"sample":true}',
    resultJson: hook.hookType === 'post_tool_use' ? '{"ok":true}' : undefined,
  };
}
