import type { Context } from '../context.js';
import { isModelNode, type PlanNode } from '../domain/plan/plan.js';
import type { WorkItem } from '../store/work-item.js';
import { runAgentNode } from './nodes/run-agent-node.js';
import { runFanout } from './nodes/run-fanout.js';
import { runFragment } from './nodes/run-fragment.js';
import { runModelNode } from './nodes/run-model-node.js';
import { runPureNode } from './nodes/run-pure-node.js';
import { runScheduler } from './nodes/run-scheduler.js';

/**
 * What each node type does once its turn has come. A runner begins with the node's journal, never with what it remembers:
 * it is called again after a crash, after a wait, and when the last of the node's sub-nodes has ended. It returns quietly
 * when the node turns out to be somebody else's. A throw means "try again later".
 */
export async function runPlanNode(ctx: Context, item: WorkItem, node: PlanNode, signal: AbortSignal): Promise<void> {
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
