import { isModelNode, type ModelNode, type PlanNode } from '../../domain/plan/plan.js';
import { listAncestorIds, requireNode } from '../../domain/plan/plan-tree.js';
import { isNodeReference } from '../../domain/plan/references.js';
import { stepHoldId } from '../../domain/values/ids.js';
import type { WhileWriting } from '../change-run.js';
import type { OpenRun } from '../run-change.js';
import type { WorkContext } from '../work-context.js';
import { admit } from './admit-step.js';
import { toFirstStep } from './find-first-step.js';
import { releaseIfOver } from './unused-hold.js';

/**
 * Requests the holds of the first calls of nodes while the transition that queues them is being written, so that the nodes do
 * not wait for both in turn. Only of nodes whose inputs were committed before: another process may repeat the transition
 * with other outputs, and a hold of the same id must be for the same request.
 */
export function admitEarly(ctx: WorkContext): WhileWriting {
  return (open, keptIds) => {
    const nodes = keptIds.map((id) => requireNode(open.draft.plan, id)).filter((node) => isReadyEarly(open, node));
    for (const node of nodes) void admitFirstStep(ctx, open, node as ModelNode);
    return (kept) => {
      const keptNow = new Set(kept.map(({ nodeId }) => nodeId));
      for (const { id } of nodes) if (!keptNow.has(id)) void leaveUnusedEarly(ctx, open.run.runId, id);
    };
  };
}

/** Releases the hold that was requested early for a node that has not used it, if the node has ended. */
export async function leaveUnusedEarly(ctx: WorkContext, runId: string, nodeId: string): Promise<void> {
  const early = ctx.earlyAdmissions.take(stepHoldId(runId, nodeId, 0, 1));
  const outcome = await early?.outcome.catch(() => undefined);
  if (early && outcome?.kind === 'admitted') await releaseIfOver(ctx, early.step);
}

/** Whether the first call of the node reads only outputs that were committed before, and that need no query. */
function isReadyEarly({ stored }: OpenRun, node: PlanNode): boolean {
  if (!isModelNode(node) || node.type === 'agent.run' || listAncestorIds(node.id).length > 0) return false;
  return node.bindings.every(({ from }) => !isNodeReference(from) || stored.has(from));
}

async function admitFirstStep(ctx: WorkContext, open: OpenRun, node: ModelNode): Promise<void> {
  const step = await toFirstStep(open, node).catch(() => undefined); // reported when the node starts
  if (step) ctx.earlyAdmissions.add({ step, outcome: admit(ctx, step) });
}
