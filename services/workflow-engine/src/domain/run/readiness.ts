import type { Guard, Plan, PlanNode } from '../plan/plan.js';
import { siblingsOf } from '../plan/plan-tree.js';
import { holds, type NodeEnd } from './condition.js';
import { type NodeState, nodeState, type RunDraft } from './run-draft.js';
import { isTerminal } from './status.js';

/**
 * Whether a node's turn has come. A link is what a node has with one node before it: taken or not once that one has
 * ended. A node runs when all its links are taken, a join.any with the first, a join.collect with those that came. It is
 * skipped as soon as that cannot happen any more.
 */
export type Readiness = 'ready' | 'skipped' | 'undecided';

export function readinessOf(draft: RunDraft, node: PlanNode): Readiness {
  let ended = 0;
  let taken = 0;
  for (const id of node.after) {
    const upstream = nodeState(draft, id);
    if (!isTerminal(upstream.status)) continue;
    ended += 1;
    if (isTaken(upstream, node.id)) taken += 1;
  }
  const hasAll = ended === node.after.length;
  switch (node.type) {
    case 'join.any':
      return taken > 0 ? 'ready' : hasAll ? 'skipped' : 'undecided';
    case 'join.collect':
      if (taken > 0 && (hasAll || taken >= (node.limit ?? Number.POSITIVE_INFINITY))) return 'ready';
      return hasAll ? 'skipped' : 'undecided';
    default:
      if (taken < ended) return 'skipped';
      return hasAll ? 'ready' : 'undecided';
  }
}

/** Whether an ended node lets a node after it run. */
export function isTaken(upstream: NodeState, nodeId: string): boolean {
  return isTerminal(upstream.status) && !upstream.closedTo.includes(nodeId);
}

/** The nodes after an ended one whose link to it is not taken. */
export function closedLinks(plan: Plan, nodeId: string, end: NodeEnd): string[] {
  const linked = siblingsOf(plan, nodeId).filter((node) => node.after.includes(nodeId));
  return linked.filter((node) => !takes(node, nodeId, end)).map(({ id }) => id);
}

/** Whether an edge that asks for the status takes the failure: then the run goes on with it. */
export function isFailureHandled(plan: Plan, nodeId: string, end: NodeEnd): boolean {
  return siblingsOf(plan, nodeId).some((node) => {
    const guard = guardOf(node, nodeId);
    return guard?.edges.some((edge) => edge?.source === 'node_status' && holds(edge, end)) ?? false;
  });
}

function takes(node: PlanNode, from: string, end: NodeEnd): boolean {
  const guard = guardOf(node, from);
  const hasSucceeded = end.status === 'succeeded';
  if (!guard) return hasSucceeded;
  if (guard.reads && !hasSucceeded) return false;
  if (guard.edges.length === 0) return hasSucceeded;
  return guard.edges.some((edge) => (edge === null ? hasSucceeded : holds(edge, end)));
}

function guardOf(node: PlanNode, from: string): Guard | undefined {
  return node.guards?.find((guard) => guard.from === from);
}

/**
 * The nodes whose outputs a join goes on with: for a join.any that of the first that came, else all in the order of the
 * spec. One that came by its failure has no output.
 */
export function arrivedAt(draft: RunDraft, node: PlanNode): string[] {
  const arrived = node.after.filter((id) => isTaken(nodeState(draft, id), node.id));
  const endedAt = (id: string): number => nodeState(draft, id).endedAt?.getTime() ?? 0;
  const chosen = node.type === 'join.any' ? arrived.toSorted((a, b) => endedAt(a) - endedAt(b)).slice(0, 1) : arrived;
  return chosen.filter((id) => nodeState(draft, id).status === 'succeeded');
}
