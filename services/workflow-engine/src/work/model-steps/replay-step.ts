import { isErrorCode } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { RunFailure } from '../../domain/failure.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { readAnswer } from '../../domain/step/answer-reader.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { loadRecordedFailure, loadRecordedStep, type RecordedStep } from '../../store/recorded-run.js';
import type { WorkItem } from '../../store/work-item.js';
import { failStep, settleStep } from './end-step.js';
import type { Move } from './next-move.js';

/** A model step of a replay ends as it did in the run that is replayed: nobody is asked, nothing is held or charged. */
export async function replayStep(
  ctx: Context,
  item: WorkItem,
  node: ModelNode,
  step: ModelStep,
  sourceId: string,
): Promise<Move | undefined> {
  const at = { item, nodeId: node.id, step };
  const recorded = await loadRecordedStep(ctx.pool, { ...step.ref, runId: sourceId });
  if (recorded?.status !== 'settled' || recorded.llmResponse === null) {
    const failure = await recordedFailure(ctx, sourceId, node.id, recorded);
    await failStep(ctx, at, { failure, status: 'failed', errorCode: failure.code });
    return undefined;
  }
  const { inputTokens, outputTokens } = recorded;
  return settleStep(ctx, at, node, {
    answer: readAnswer(recorded.llmResponse),
    served: { usage: { inputTokens, outputTokens, images: 0 }, costMicrocents: 0n },
    deltas: [],
    recorded,
  });
}

/** Why the recorded run's node has failed, in its own words where they are kept. */
export async function recordedFailure(
  ctx: Context,
  sourceId: string,
  nodeId: string,
  recorded?: Pick<RecordedStep, 'errorCode'>,
): Promise<RunFailure> {
  const failure = await loadRecordedFailure(ctx.pool, sourceId, nodeId);
  const code = recorded?.errorCode ?? failure?.code;
  if (!code || !isErrorCode(code))
    return { code: 'CONFLICT', message: 'the run that is replayed did not get this far' };
  return { code, message: failure?.code === code ? failure.message : 'failed in the run that is replayed' };
}
