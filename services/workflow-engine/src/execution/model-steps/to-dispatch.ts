import { writeExactJson } from '@tollgate/runtime';
import type { AdmittedStep } from '../../clients/admission.js';
import { toolsFor } from '../../domain/step/agent-prompt.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import type { Dispatch } from '../../store/steps/run-steps.js';
import type { WorkContext } from '../work-context.js';

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
