import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../../context.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { requireNode } from '../../domain/plan/plan-tree.js';
import { runsHere, type ToolCall } from '../../domain/tools/tool-calls.js';
import { readCalls } from '../../execution/model-steps/journal-rows.js';
import { readWaitingSteps } from '../../store/runs/read-runs.js';
import { requireRun } from './read-runs.js';

export interface PendingNode {
  nodeId: string;
  step: number;
  holdId: string;
  calls: ToolCall[];
}

/** Lists the tool calls that wait for the client, by node in the order of the spec. */
export async function listPendingTools(
  ctx: Pick<Context, 'plans' | 'pool'>,
  principal: Principal,
  runId: string,
): Promise<PendingNode[]> {
  const run = await requireRun(ctx, principal, runId);
  const steps = await readWaitingSteps(ctx.pool, runId);
  if (steps.length === 0) return [];
  const plan = await ctx.plans.load(ctx.pool, run.projectId, run.planHash);
  if (!plan) throw new Error(`run ${runId} has no plan`);
  return steps.map((waiting) => {
    const { nodeId, step, holdId } = waiting;
    // A node waits only when the service has answered all of its own calls.
    const node = requireNode(plan, nodeId) as ModelNode;
    return { nodeId, step, holdId, calls: readCalls(waiting).filter((call) => !runsHere(call, node)) };
  });
}
