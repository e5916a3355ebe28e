import { isErrorCode } from '@tollgate/errors';
import type { RunFailure } from '../../domain/failure.js';
import { readAnswer } from '../../domain/step/answer-reader.js';
import { loadRecordedFailure, loadRecordedStep, type RecordedStep } from '../../store/steps/recorded-run.js';
import type { StepRun, WorkContext } from '../work-context.js';
import { failStep, settleStep } from './end-step.js';
import type { Move } from './next-move.js';

/** Ends a model step of a replay as it ended in the recorded run. No model is called; nothing is held or charged. */
export async function replayStep(ctx: WorkContext, run: StepRun, sourceId: string): Promise<Move | undefined> {
  const { ref } = run.step;
  const recorded = await loadRecordedStep(ctx.pool, { ...ref, runId: sourceId });
  if (recorded?.status !== 'settled' || recorded.llmResponse === null) {
    const failure = await recordedFailure(ctx, sourceId, ref.nodeId, recorded);
    await failStep(ctx, run, { failure, status: 'failed', errorCode: failure.code });
    return undefined;
  }
  const { inputTokens, outputTokens, llmResponse: json } = recorded;
  return settleStep(ctx, run, {
    received: { answer: readAnswer(json), json },
    served: { usage: { inputTokens, outputTokens, images: 0 }, costMicrocents: 0n },
    deltas: [],
    recorded,
  });
}

/** Returns why the node failed in the recorded run, with the original message where it was kept. */
export async function recordedFailure(
  ctx: WorkContext,
  sourceId: string,
  nodeId: string,
  recorded?: Pick<RecordedStep, 'errorCode'>,
): Promise<RunFailure> {
  const failure = await loadRecordedFailure(ctx.pool, sourceId, nodeId);
  const code = recorded?.errorCode ?? failure?.code;
  if (!code || !isErrorCode(code)) {
    return { code: 'CONFLICT', message: 'the recorded run has no result for this step' };
  }
  return { code, message: failure?.code === code ? failure.message : 'the step failed in the recorded run' };
}
