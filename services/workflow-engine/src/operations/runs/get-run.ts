import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../../context.js';
import { isTerminal } from '../../domain/run/status.js';
import { type CostSummary, summarizeCost } from '../../domain/step/cost.js';
import { readSnapshot, type Snapshot } from '../../store/read-runs.js';
import { requireRun } from './visible-run.js';

export interface RunView extends Snapshot {
  cost: CostSummary;
}

/** Returns the run as the caller may see it: only the owner sees lost attempts. */
export async function getRun(ctx: Pick<Context, 'pool'>, principal: Principal, runId: string): Promise<RunView> {
  await requireRun(ctx, principal, runId);
  const snapshot = await readSnapshot(ctx.pool, runId);
  const isOver = isTerminal(snapshot.run.status);
  const cost = summarizeCost(snapshot.calls, isOver, snapshot.toolCosts);
  if (principal.kind === PrincipalKind.CUSTOMER) cost.lostAttempts = [];
  return { ...snapshot, cost };
}
