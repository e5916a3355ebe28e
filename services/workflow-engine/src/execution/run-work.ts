import { failed } from '../domain/failure.js';
import { limits } from '../domain/limits.js';
import { isModelNode, type PlanNode } from '../domain/plan/plan.js';
import { requireNode } from '../domain/plan/plan-tree.js';
import { startNode } from '../domain/run/run-transitions.js';
import type { WorkItem } from '../domain/run/work-item.js';
import { changeRun } from './change-run.js';
import { expireNode, expireRun, expireWait } from './expire.js';
import { runAgentNode } from './nodes/run-agent-node.js';
import { runFanout } from './nodes/run-fanout.js';
import { runFragment } from './nodes/run-fragment.js';
import { runModelNode } from './nodes/run-model-node.js';
import { runPureNode } from './nodes/run-pure-node.js';
import { runScheduler } from './nodes/run-scheduler.js';
import { finishNode } from './outputs.js';
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

/**
 * Runs a node by its type. Runners are stateless: they resume from the journal, because they are called again after a
 * crash, after a wait, and when the last of the node's sub-nodes has ended. They return when another process holds the
 * node. Throwing re-queues the work.
 */
async function runPlanNode(ctx: WorkContext, item: WorkItem, node: PlanNode, signal: AbortSignal): Promise<void> {
  switch (node.type) {
    case 'agent.run':
      return runAgentNode(ctx, item, node, signal);
    case 'agent.scheduler':
      return runScheduler(ctx, item, node);
    case 'fragment':
      return runFragment(ctx, item, node);
    case 'map.fanout':
      return runFanout(ctx, item, node);
    default:
      return isModelNode(node) ? runModelNode(ctx, { item, node, signal }) : runPureNode(ctx, item, node);
  }
}
