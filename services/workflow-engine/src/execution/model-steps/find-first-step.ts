import { limits } from '../../domain/limits.js';
import { isModelNode, type ModelNode, type PlanNode } from '../../domain/plan/plan.js';
import { listAncestorIds, requireNode } from '../../domain/plan/plan-tree.js';
import { isNodeReference } from '../../domain/plan/references.js';
import { nodeTimeoutMs } from '../../domain/run/time-limit.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { stepHoldId } from '../../domain/values/ids.js';
import { peekRun } from '../change-run.js';
import type { OpenRun } from '../run-change.js';
import type { WorkContext } from '../work-context.js';
import { buildRequest, toModelStep } from './next-move.js';

/**
 * Returns the first model call of a node that has never started, if that is known without a query. Its hold is taken
 * before anything is in the journal: the hold's id is derived, so the next holder of the work finds the hold.
 */
export async function findFirstStep(ctx: WorkContext, item: WorkItem, node: ModelNode): Promise<ModelStep | undefined> {
  if (item.epoch > 1 || node.type === 'agent.run') return undefined;
  const open = await peekRun(ctx, item.runId);
  return open && toFirstStep(open, node);
}

/** Returns the first model call of a node, if the node has never started and the call is known without a query. */
export async function toFirstStep(open: OpenRun, node: ModelNode): Promise<ModelStep | undefined> {
  if (!isFirst(open, node)) return undefined;
  const { runId } = open.run;
  const request = await buildRequest(open, node, [], new Map());
  if (!request.ok) return undefined;
  return toModelStep(open, node, request.value, nodeTimeoutMs(open.draft.plan, node), {
    ref: { runId, nodeId: node.id, step: 0, attempt: 1 },
    holdId: stepHoldId(runId, node.id, 0, 1),
    supersedes: undefined,
    isResumed: false,
    callsMade: 1,
  });
}

/** Whether the first call of the node reads only outputs that were committed before, and that need no query. */
export function isReadyEarly({ stored }: Pick<OpenRun, 'stored'>, node: PlanNode): node is ModelNode {
  if (!isModelNode(node) || node.type === 'agent.run' || listAncestorIds(node.id).length > 0) return false;
  return node.bindings.every(({ from }) => !isNodeReference(from) || stored.has(from));
}

function isFirst({ draft }: OpenRun, { id, mcp_servers: servers }: ModelNode): boolean {
  // The tools of MCP servers are listed and stored before the first call.
  if (servers) return false;
  const { plan, nodes, lastSeq } = draft;
  const state = nodes.get(id);
  if (state?.status !== 'pending' || state.attempt > 1 || plan.rehearsal || lastSeq > limits.runEvents) return false;
  // The steps below a scheduler are counted under the run's lock.
  return listAncestorIds(id).every((ancestor) => requireNode(plan, ancestor).type !== 'agent.scheduler');
}
