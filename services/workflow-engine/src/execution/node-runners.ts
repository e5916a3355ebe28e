import { isModelNode, type PlanNode } from '../domain/plan/plan.js';
import type { WorkItem } from '../domain/run/work-item.js';
import { runAgentNode } from './nodes/run-agent-node.js';
import { runFanout } from './nodes/run-fanout.js';
import { runFragment } from './nodes/run-fragment.js';
import { runModelNode } from './nodes/run-model-node.js';
import { runPureNode } from './nodes/run-pure-node.js';
import { runScheduler } from './nodes/run-scheduler.js';
import type { WorkContext } from './work-context.js';

/**
 * Runs a node by its type. Runners are stateless: they resume from the journal, because they are called again after a
 * crash, after a wait, and when the last of the node's sub-nodes has ended. They return when another process holds the
 * node. Throwing re-queues the work.
 */
export async function runPlanNode(
  ctx: WorkContext,
  item: WorkItem,
  node: PlanNode,
  signal: AbortSignal,
): Promise<void> {
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
      return isModelNode(node) ? runModelNode(ctx, item, node, signal) : runPureNode(ctx, item, node);
  }
}
