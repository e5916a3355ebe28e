import { isAppError, isTransientError } from '@tollgate/errors';
import { startCall } from '@tollgate/rpc';
import { writeExactJson } from '@tollgate/runtime';
import { release } from '@tollgate/spending';
import { type AdmissionOutcome, type AdmittedStep, admitStep } from '../../clients/admission.js';
import { toolsFor } from '../../domain/step/agent-prompt.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { type Dispatch, markUndelivered, readStepFate } from '../../store/steps/run-steps.js';
import type { StepRun, WorkContext } from '../work-context.js';
import { PeerUnavailable } from '../work-pool.js';

/** Admits the step; see `admitStep`. Throws PeerUnavailable when the ledger is unavailable: the step resumes under the same hold. */
export async function admit(
  ctx: WorkContext,
  step: ModelStep,
  options?: { isTentative: boolean },
): Promise<AdmissionOutcome> {
  try {
    return await admitStep(ctx, step, options);
  } catch (error) {
    throw isUnavailable(error) ? new PeerUnavailable('the step was not admitted yet', { cause: error }) : error;
  }
}

/** Excludes INTERNAL_ERROR: this request may be its cause, so it counts as a failed try. */
function isUnavailable(error: unknown): boolean {
  return isTransientError(error) && !(isAppError(error) && error.code === 'INTERNAL_ERROR');
}

/** Returns what the journal keeps about an admitted call before it is made. */
export function toDispatch(
  { catalog }: Pick<WorkContext, 'catalog'>,
  step: ModelStep,
  { admission, prices }: AdmittedStep,
): Dispatch {
  const { modelId, heldMicrocents } = admission;
  const llmRequest = writeExactJson(toolsFor(step.request, catalog.find(modelId)));
  return { modelId, prices, heldMicrocents, llmRequest };
}

const RELEASE_TIMEOUT_MS = 5_000;

/** Gives up a call of this process that is in the journal as dispatched and was not made. */
export async function leaveUnsent(ctx: WorkContext, { item, step }: StepRun): Promise<void> {
  await markUndelivered(ctx.pool, step.ref, item);
  await releaseIfOver(ctx, step, true);
}

/**
 * Releases the hold of a call that is never made, because its node has ended. Otherwise the next holder of the work uses
 * the hold. If another process has the step in the journal, its hold is settled or released from there. Never throws: a
 * hold that is not released expires.
 */
export async function releaseIfOver(
  ctx: WorkContext,
  { ref, holdId, principal }: ModelStep,
  isOwn = false,
): Promise<void> {
  try {
    const { isOver, isJournaled } = await readStepFate(ctx.pool, ref);
    if (!isOver || (isJournaled && !isOwn)) return;
    const call = startCall({ requestId: holdId, principal, timeoutMs: RELEASE_TIMEOUT_MS });
    await release(ctx.ledger, { holdId }, { success: false, errorCode: 'NOT_DISPATCHED' }, call);
  } catch (error) {
    ctx.logger.warn({ err: error, hold_id: holdId, run_id: ref.runId }, 'hold not released; it will expire');
  }
}
