import { isAppError, isTransientError } from '@tollgate/errors';
import { type AdmissionOutcome, admitStep } from '../../clients/admission.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import type { WorkContext } from '../work-context.js';
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
