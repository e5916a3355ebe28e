import { isAppError } from '@tollgate/errors';
import { elapsed } from '@tollgate/runtime';
import type { ToolState } from '@tollgate/tools';
import { executeTool, type ToolOutcome } from '../../clients/tools.js';
import { type EventDraft, kvUpdated, taskListUpdated } from '../../domain/run/run-event.js';
import { settleStateTool } from '../../domain/tools/run-state-tool.js';
import { afterToolFailure, type ToolFailure } from '../../domain/tools/tool-failure.js';
import { findStateScope, plannedToolSettings } from '../../domain/tools/tool-settings.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { loadToolState, toolStateArtifact } from '../../store/artifacts.js';
import { loadToolSettings } from '../../store/steps/run-steps.js';
import { changeHeldRun } from '../change-run.js';
import type { Move } from '../model-steps/next-move.js';
import type { RunChange } from '../run-change.js';
import type { ToolRun, WorkContext } from '../work-context.js';
import { PeerUnavailable } from '../work-pool.js';
import { callFragment } from './call-fragment.js';
import { mockCall } from './mock-call.js';
import { replayCall } from './replay-call.js';
import { answeredFailure, settleCall } from './settle-call.js';

/** Answers one tool call: from a rehearsal's mocks or recording, by a fragment, or by the tool service. */
export async function runToolCall(ctx: WorkContext, run: ToolRun): Promise<Move | undefined> {
  const { rehearsal, route } = run.task;
  if (rehearsal?.replay_of === undefined) {
    const mocked = rehearsal && (await mockCall(ctx, run, rehearsal));
    if (mocked?.isAnswered) return mocked.move;
  } else if (route?.to !== 'fragment') return replayCall(ctx, run, rehearsal.replay_of);
  if (route?.to === 'fragment') return callFragment(ctx, run, route);
  return execute(ctx, run);
}

/**
 * Executes the call under ids that never change. The result commits with its events, the change of the run's own state,
 * and the node's next move. Throwing re-queues the work.
 */
async function execute(ctx: WorkContext, run: ToolRun): Promise<Move | undefined> {
  const { item, task } = run;
  const { outcome, failure, attempt, seen } = await tryCall(ctx, run);
  if (outcome.kind === 'left') return undefined;
  return changeHeldRun(ctx, item, async (change) => {
    if (outcome.kind !== 'answered') return settleCall(change, run, { failure, attempt });
    const { reply, modelId, costMicrocents } = outcome;
    const isChanged = reply.arguments !== (task.call.arguments.trim() || '{}');
    return settleCall(change, run, {
      errorCode: reply.errorCode,
      failure,
      attempt,
      arguments: isChanged ? reply.arguments : undefined,
      modelId,
      costMicrocents,
      ...(await applyToState(change, task, reply, seen)),
    });
  });
}

interface Tried {
  outcome: ToolOutcome;
  failure: ToolFailure | undefined;
  attempt: number;
  /** The run's own state, as the tool saw it. */
  seen: ToolState | undefined;
}

/** Calls the tool, again after a failure when the agent's policy says so. The executor sees each try as a new call. */
async function tryCall(ctx: WorkContext, { node, task, signal }: ToolRun): Promise<Tried> {
  const { ref, sessionId, route } = task;
  const settings = plannedToolSettings(node) ?? (await loadToolSettings(ctx.pool, ref));
  const scope = findStateScope(settings, sessionId);
  const hookId = route?.to === 'hook' ? route.hook_id : undefined;
  const mcpServer = route?.to === 'mcp' ? route.server : undefined;
  const deadline = elapsed() + task.remainingMs;
  for (let attempt = 1; ; attempt += 1) {
    // Every tool gets the state: a hook may replace the operation by an operation that uses it.
    const seen = scope.kind === 'run' ? await loadToolState(ctx.pool, ref.runId) : undefined;
    const remainingMs = Math.min(task.tryMs, deadline - elapsed());
    const executor = { hookId, mcpServer };
    const execution = {
      ...task,
      ...executor,
      runId: ref.runId,
      settings,
      scope,
      state: seen,
      attempt,
      remainingMs,
      signal,
    };
    const outcome = await executeTool(ctx.clients.tools, execution).catch(throwUnavailable);
    const failure = findFailure(task, outcome);
    const again = failure && afterToolFailure(node, failure, attempt) === 'retry' && elapsed() < deadline;
    if (!again) return { outcome, failure, attempt, seen };
  }
}

/** A call waits for an unavailable service, within the time of its node: it is repeated under the same ids. */
function throwUnavailable(error: unknown): never {
  const isWait = isAppError(error) && error.code === 'SERVICE_UNAVAILABLE';
  throw isWait ? new PeerUnavailable('the tool was not called', { cause: error }) : error;
}

type Answered = Extract<ToolOutcome, { kind: 'answered' }>;

function findFailure({ call }: ToolTask, outcome: ToolOutcome): ToolFailure | undefined {
  switch (outcome.kind) {
    case 'failed':
      return { ...outcome.failure, isAnswer: false };
    case 'unhandled': {
      const message = `the model called the tool ${call.name}, which has no executor`;
      return { code: 'TOOL_UNHANDLED', message, isAnswer: false };
    }
    case 'answered':
      return withRetry(answeredFailure(outcome.reply.output, outcome.reply.errorCode), outcome.reply.mayRetry);
    case 'left':
      return undefined;
  }
}

function withRetry(failure: ToolFailure | undefined, mayRetry = false): ToolFailure | undefined {
  return failure && { ...failure, mayRetry };
}

/**
 * Applies the tool's write to the run's own state as it is now. Tools that write elsewhere have taken effect already.
 */
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
