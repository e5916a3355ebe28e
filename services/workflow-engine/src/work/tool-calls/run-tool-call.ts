import type { ResponsesBody } from '@tollgate/api';
import type { ToolState } from '@tollgate/tools';
import { executeTool, type ToolOutcome } from '../../clients/tools.js';
import type { Context } from '../../context.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { type EventDraft, kvUpdated, taskListUpdated } from '../../domain/run/run-event.js';
import { settleStateTool } from '../../domain/tools/run-state-tool.js';
import { stateScopeOf } from '../../domain/tools/state-scope.js';
import { afterToolFailure, type ToolFailure } from '../../domain/tools/tool-failure.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { loadRequest } from '../../store/run-steps.js';
import { loadToolState, toolStateArtifact } from '../../store/run-tool-state.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun, type RunChange } from '../change-run.js';
import type { Move } from '../model-steps/next-move.js';
import { callFragment } from './call-fragment.js';
import { mockCall } from './mock-call.js';
import { replayCall } from './replay-call.js';
import { answeredFailure, settleCall } from './settle-call.js';

/** Answers one tool call: by what a rehearsal has for it, by a fragment, or by the tool service. */
export async function runToolCall(
  ctx: Context,
  item: WorkItem,
  node: ModelNode,
  task: ToolTask,
  signal: AbortSignal,
): Promise<Move | undefined> {
  const { rehearsal, route } = task;
  if (rehearsal?.replay_of === undefined) {
    const mocked = rehearsal && (await mockCall(ctx, item, node, task, rehearsal));
    if (mocked?.isAnswered) return mocked.move;
  } else if (route?.to !== 'fragment') return replayCall(ctx, item, node, task, rehearsal.replay_of);
  if (route?.to === 'fragment') return callFragment(ctx, item, node, task, route);
  return execute(ctx, item, node, task, signal);
}

/**
 * Executed under ids that never change, its result committed with its events, the change of the run's own state, and what
 * the node does next. A throw means "try again later".
 */
async function execute(
  ctx: Context,
  item: WorkItem,
  node: ModelNode,
  task: ToolTask,
  signal: AbortSignal,
): Promise<Move | undefined> {
  const done = await tryCall(ctx, node, task, signal);
  if (done.outcome.kind === 'left') return undefined;
  const changed = await changeRun(ctx, item.runId, { ...item, ends: false }, async (change) => {
    const { outcome, failure, attempt } = done;
    if (outcome.kind !== 'answered') return settleCall(change, item, node, task, { failure, attempt });
    const { reply, modelId, costMicrocents } = outcome;
    const isChanged = reply.arguments !== (task.call.arguments.trim() || '{}');
    return settleCall(change, item, node, task, {
      errorCode: reply.errorCode,
      failure,
      attempt,
      arguments: isChanged ? reply.arguments : undefined,
      modelId,
      costMicrocents,
      ...(await applyToState(change, task, reply, done.seen)),
    });
  });
  return changed.outcome === 'done' ? changed.value : undefined;
}

interface Tried {
  outcome: ToolOutcome;
  failure: ToolFailure | undefined;
  attempt: number;
  /** The run's own state, as the tool saw it. */
  seen: ToolState | undefined;
}

/** An agent may have a failed call tried again; each try is a call of its own to whoever executes it. */
async function tryCall(ctx: Context, node: ModelNode, task: ToolTask, signal: AbortSignal): Promise<Tried> {
  const { ref, sessionId, route } = task;
  const request = JSON.parse(await loadRequest(ctx.pool, ref)) as ResponsesBody;
  const scope = stateScopeOf(request, sessionId);
  const hookId = route?.to === 'hook' ? route.hook_id : undefined;
  const deadline = performance.now() + task.remainingMs;
  for (let attempt = 1; ; attempt += 1) {
    // Whatever the tool: a hook may make another one of it.
    const seen = scope.kind === 'run' ? await loadToolState(ctx.pool, ref.runId) : undefined;
    const remainingMs = Math.min(task.tryMs, deadline - performance.now());
    const execution = { ...task, runId: ref.runId, request, scope, state: seen, hookId, attempt, remainingMs, signal };
    const outcome = await executeTool(ctx.clients.tools, execution);
    const failure = failureOf(task, outcome);
    const again = failure && afterToolFailure(node, failure, attempt) === 'retry' && performance.now() < deadline;
    if (!again) return { outcome, failure, attempt, seen };
  }
}

type Answered = Extract<ToolOutcome, { kind: 'answered' }>;

function failureOf({ call }: ToolTask, outcome: ToolOutcome): ToolFailure | undefined {
  switch (outcome.kind) {
    case 'failed':
      return { ...outcome.failure, isAnswer: false };
    case 'unhandled': {
      const message = `the model called a tool that nobody executes: ${call.name}`;
      return { code: 'TOOL_UNHANDLED', message, isAnswer: false };
    }
    case 'answered':
      return answeredFailure(outcome.reply.output, outcome.reply.errorCode);
    case 'left':
      return undefined;
  }
}

/** Applies what the tool does to the run's own state, as it is now; other tools have had their effect elsewhere. */
async function applyToState(
  { tx, artifacts }: RunChange,
  { ref, holdId, call }: ToolTask,
  reply: Answered['reply'],
  seen: ToolState | undefined,
): Promise<{ output: string; effect?: EventDraft }> {
  if (!seen || !reply.write) return { output: reply.output };
  const { output, state, change } = settleStateTool(reply, seen, await loadToolState(tx, ref.runId));
  if (!change) return { output };
  const artifact = toolStateArtifact(state, change.kind);
  artifacts.push(artifact);
  const { nodeId, step } = ref;
  const at = { step, request_id: holdId, tool_call_id: call.tool_call_id };
  const effect =
    change.kind === 'kv'
      ? kvUpdated(nodeId, at, artifact, { key: change.key, deleted: !Object.hasOwn(state.kv, change.key) })
      : taskListUpdated(nodeId, at, artifact, state.tasks);
  return { output, effect };
}
