import type { RunFailure } from '../../domain/failure.js';
import { listAncestorIds, requireNode } from '../../domain/plan/plan-tree.js';
import { limitReached } from '../../domain/run/time-limit.js';
import { countSteps } from '../../store/steps/run-steps.js';
import type { RunChange } from '../run-change.js';

/**
 * Returns why a node below a scheduler must not make another model call. Steps are counted under the run's lock, so the
 * limit is exact.
 */
export async function schedulerLimit({ tx, run, draft }: RunChange, nodeId: string): Promise<RunFailure | undefined> {
  for (const id of listAncestorIds(nodeId)) {
    const node = requireNode(draft.plan, id);
    if (node.type !== 'agent.scheduler') continue;
    const { max_steps: max } = node.policy;
    if ((await countSteps(tx, run.runId, id)) >= max) return limitReached(`the scheduler's ${max} steps are used up`);
  }
  return undefined;
}
