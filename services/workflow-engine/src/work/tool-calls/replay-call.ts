import type { Context } from '../../context.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { loadRecordedResult } from '../../store/recorded-run.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun } from '../change-run.js';
import type { Move } from '../model-steps/next-move.js';
import { recordedFailure } from '../model-steps/replay-step.js';
import { answeredFailure, settleCall } from './settle-call.js';

/** A tool call of a replay is answered as it was in the run that is replayed; nothing is executed. */
export async function replayCall(
  ctx: Context,
  item: WorkItem,
  node: ModelNode,
  task: ToolTask,
  sourceId: string,
): Promise<Move | undefined> {
  const { ref, position } = task;
  const recorded = await loadRecordedResult(ctx.pool, { ...ref, runId: sourceId, position });
  const failure = recorded ? undefined : await recordedFailure(ctx, sourceId, node.id);
  const changed = await changeRun(ctx, item.runId, { ...item, ends: false }, (change) => {
    // Every try that the recorded run has made is over.
    const attempt = Number.POSITIVE_INFINITY;
    if (!recorded) {
      const missing = failure && { ...failure, isAnswer: false };
      return settleCall(change, item, node, task, { failure: missing, attempt });
    }
    const { output, errorCode } = recorded;
    const answered = answeredFailure(output, errorCode ?? '');
    return settleCall(change, item, node, task, {
      output,
      errorCode: errorCode ?? undefined,
      failure: answered && { ...answered, isAnswer: isAnswer(answered.code) },
      attempt,
      mocksServed: 1,
    });
  });
  return changed.outcome === 'done' ? changed.value : undefined;
}

/** Results that stand for a call which nobody answered are told apart by their codes. */
function isAnswer(code: string): boolean {
  return code !== 'TOOL_UNHANDLED' && code !== 'HOOK_FAILED';
}
