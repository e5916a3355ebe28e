import { loadRecordedResult } from '../../store/steps/recorded-run.js';
import { changeHeldRun } from '../change-run.js';
import type { Move } from '../model-steps/next-move.js';
import { recordedFailure } from '../model-steps/replay-step.js';
import type { ToolRun, WorkContext } from '../work-context.js';
import { answeredFailure, settleCall } from './settle-call.js';

/** Answers a tool call of a replay with the result of the recorded run; nothing is executed. */
export async function replayCall(ctx: WorkContext, run: ToolRun, sourceId: string): Promise<Move | undefined> {
  const { ref, position } = run.task;
  const recorded = await loadRecordedResult(ctx.pool, { ...ref, runId: sourceId, position });
  const failure = recorded ? undefined : await recordedFailure(ctx, sourceId, ref.nodeId);
  return changeHeldRun(ctx, run.item, (change) => {
    // The recorded result is the last try's, so it is never retried.
    const attempt = Number.POSITIVE_INFINITY;
    if (!recorded) {
      const missing = failure && { ...failure, isAnswer: false };
      return settleCall(change, run, { failure: missing, attempt });
    }
    const { output, errorCode } = recorded;
    const answered = answeredFailure(output, errorCode ?? '');
    return settleCall(change, run, {
      output,
      errorCode: errorCode ?? undefined,
      failure: answered && { ...answered, isAnswer: isAnswer(answered.code) },
      attempt,
      mocksServed: 1,
    });
  });
}

/** Whether a recorded error is the tool's answer. These codes record a call without an answer. */
function isAnswer(code: string): boolean {
  return code !== 'TOOL_UNHANDLED' && code !== 'HOOK_FAILED';
}
