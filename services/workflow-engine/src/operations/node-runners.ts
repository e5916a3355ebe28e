import type { Context } from '../context.js';
import { isModelNode, type PlanNode } from '../domain/plan.js';
import type { WorkItem } from '../store/work-item.js';
import { runAgentNode } from './run-agent-node.js';
import { runFanout } from './run-fanout.js';
import { runFragment } from './run-fragment.js';
import { runModelNode } from './run-model-node.js';
import { runPureNode } from './run-pure-node.js';
import { runScheduler } from './run-scheduler.js';

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
