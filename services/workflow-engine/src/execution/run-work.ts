import { failed } from '../domain/failure.js';
import { limits } from '../domain/limits.js';
import { requireNode } from '../domain/plan/plan-tree.js';
import { startNode } from '../domain/run/run-transitions.js';
import type { WorkItem } from '../domain/run/work-item.js';
import { changeRun } from './change-run.js';
import { expireNode, expireRun, expireWait } from './expire.js';
import { finishNode } from './finish-node.js';
import { runPlanNode } from './node-runners.js';
import type { WorkContext } from './work-context.js';

/** Executes one piece of claimed work. Returns without an error when the lease turns out to be lost. */
export async function runWork(ctx: WorkContext, item: WorkItem, signal: AbortSignal): Promise<void> {
  switch (item.kind) {
    case 'node':
      return runNode(ctx, item, signal);
    case 'run_deadline':
      return expireRun(ctx, item);
    case 'wait_deadline':
      return expireWait(ctx, item);
    case 'node_deadline':
      return expireNode(ctx, item);
  }
}

async function runNode(ctx: WorkContext, item: WorkItem, signal: AbortSignal): Promise<void> {
  if (item.retries > limits.retries) return giveUp(ctx, item);
  const plan = await ctx.plans.load(ctx.pool, item.projectId, item.planHash);
  if (!plan) throw new Error(`the plan of run ${item.runId} is missing`);
  await runPlanNode(ctx, item, requireNode(plan, item.nodeId), signal);
}

/** Fails a node whose work crashes its process or throws again and again, with a reason that the run's readers see. */
async function giveUp(ctx: WorkContext, item: WorkItem): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async (change) => {
    startNode(change.draft, item.nodeId);
    const message = `the node was given up after ${item.retries} interrupted attempts`;
    await finishNode(change, item.nodeId, failed('SERVICE_UNAVAILABLE', message));
  });
}
