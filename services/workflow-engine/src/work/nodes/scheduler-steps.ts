import type { RunFailure } from '../../domain/failure.js';
import { ancestorIdsOf, nodeOf } from '../../domain/plan/plan-tree.js';
import { limitReached } from '../../domain/run/time-limit.js';
import { countSteps } from '../../store/run-steps.js';
import type { RunChange } from '../change-run.js';

/** Why a node below a scheduler makes no further model call; counted under the run's lock, so the bound is exact. */
export async function spentSteps({ tx, run, draft }: RunChange, nodeId: string): Promise<RunFailure | undefined> {
  for (const id of ancestorIdsOf(nodeId)) {
    const node = nodeOf(draft.plan, id);
    if (node.type !== 'agent.scheduler') continue;
    const { max_steps: max } = node.policy;
    if ((await countSteps(tx, run.runId, id)) >= max) return limitReached(`the scheduler's ${max} steps are used up`);
  }
  return undefined;
}
