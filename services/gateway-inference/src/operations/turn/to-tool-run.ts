import type { ToolContext } from '@tollgate/contracts/inference/v1/tools_pb.js';
import type { Call } from '@tollgate/rpc';
import { EMPTY_TOOL_STATE, parseToolState } from '@tollgate/tools';
import type { Context } from '../../context.js';
import type { StorageContext } from '../../domain/turn-tools.js';
import { PassingScope, type StateScope, StoredScope } from '../../tools/state-scope.js';
import type { ToolRun } from '../../tools/tool-run.js';
import type { TurnPlan } from './turn-plan.js';

/** Returns on whose behalf, and with which state, the tools of a turn run. */
export function toToolRun(ctx: Pick<Context, 'toolState'>, plan: TurnPlan, call: Call): Omit<ToolRun, 'toolCallId'> {
  const { toolContext, storage, holdId, tools } = plan;
  return {
    call,
    requestId: plan.call.requestId,
    holdId,
    scope: toScope(ctx, toolContext, storage, new PassingScope(EMPTY_TOOL_STATE)),
    ...toActor(toolContext),
    imageModel: tools?.imageModel,
  };
}

/** Returns where the tools store their state. The caller's context has precedence over the body. */
export function toScope(
  ctx: Pick<Context, 'toolState'>,
  context: ToolContext | undefined,
  storage: StorageContext,
  otherwise: StateScope,
): StateScope {
  if (context && isOfRun(context)) {
    return new PassingScope(parseToolState(Buffer.from(context.runStateJson).toString('utf8')));
  }
  const stored = context?.stateId || context?.sessionId ? context : storage;
  return stored.stateId || stored.sessionId ? new StoredScope(ctx.toolState, stored) : otherwise;
}

/** Whether the state belongs to a run, whose engine stores it. A run may name a state handle or session instead. */
function isOfRun(context: ToolContext): boolean {
  if (context.stateId !== '' || context.sessionId !== '') return false;
  return context.runStateJson.length > 0 || context.runId !== '';
}

export function toActor(context: ToolContext | undefined): Pick<ToolRun, 'runId' | 'agent'> {
  const { runId = '', agentId = '', agentSlug = '' } = context ?? {};
  return {
    runId: runId === '' ? undefined : runId,
    agent: agentId === '' ? undefined : { id: agentId, slug: agentSlug },
  };
}
