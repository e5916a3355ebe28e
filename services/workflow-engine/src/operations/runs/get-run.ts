import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../../context.js';
import type { Plan } from '../../domain/plan/plan.js';
import { requireNode } from '../../domain/plan/plan-tree.js';
import { isTerminal } from '../../domain/run/status.js';
import { type CostSummary, summarizeCost } from '../../domain/step/cost.js';
import { readSnapshot, type Snapshot } from '../../store/runs/read-runs.js';
import { requireRun } from './visible-run.js';

export interface RunView extends Snapshot {
  cost: CostSummary;
  /** The nodes that must end before a node, by its id. */
  after: ReadonlyMap<string, readonly string[]>;
}

/** Returns the run as the caller may see it: only the owner sees lost attempts. */
export async function getRun(
  ctx: Pick<Context, 'plans' | 'pool'>,
  principal: Principal,
  runId: string,
): Promise<RunView> {
  const { projectId } = await requireRun(ctx, principal, runId);
  const snapshot = await readSnapshot(ctx.pool, runId);
  const isOver = isTerminal(snapshot.run.status);
  const cost = summarizeCost(snapshot.calls, isOver, snapshot.toolCosts);
  if (principal.kind === PrincipalKind.CUSTOMER) cost.lostAttempts = [];
  const plan = await ctx.plans.load(ctx.pool, projectId, snapshot.run.planHash);
  return { ...snapshot, cost, after: plan ? findEdges(plan, snapshot) : new Map() };
}

/** Sub-nodes outside a graph, such as the items of a fan-out, wait for nothing but their parent. */
function findEdges(plan: Plan, { nodes }: Snapshot): ReadonlyMap<string, readonly string[]> {
  return new Map(nodes.map(({ nodeId }) => [nodeId, requireNode(plan, nodeId).after]));
}
