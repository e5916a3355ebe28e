import type { Guard, Plan, PlanNode } from '../plan/plan.js';
import { listSiblings } from '../plan/plan-tree.js';
import { holds, type NodeEnd } from './condition.js';
import { type NodeState, nodeState, type RunDraft } from './run-draft.js';
import { isTerminal } from './status.js';

/**
 * Whether a node can run. A link connects a node with one upstream node. When the upstream node ends, the link becomes
 * taken or closed. A node runs when all its links are taken; a join.any runs at its first taken link, and a join.collect
 * with the links taken so far. A node is skipped as soon as it can no longer run.
 */
export type Readiness = 'ready' | 'skipped' | 'undecided';

export function decideReadiness(draft: RunDraft, node: PlanNode): Readiness {
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

/** Whether the link from an ended node to a downstream node is taken. */
export function isTaken(upstream: NodeState, nodeId: string): boolean {
  return isTerminal(upstream.status) && !upstream.closedTo.includes(nodeId);
}

/** Returns the downstream nodes whose link from an ended node is closed. */
export function closedLinks(plan: Plan, nodeId: string, end: NodeEnd): string[] {
  const linked = listSiblings(plan, nodeId).filter((node) => node.after.includes(nodeId));
  return linked.filter((node) => !isLinkTaken(node, nodeId, end)).map(({ id }) => id);
}

/** Whether an edge with a status condition handles the failure, so that the run continues. */
export function isFailureHandled(plan: Plan, nodeId: string, end: NodeEnd): boolean {
  return listSiblings(plan, nodeId).some((node) => {
    const guard = findGuard(node, nodeId);
    return guard?.edges.some((edge) => edge?.source === 'node_status' && holds(edge, end)) ?? false;
  });
}

function isLinkTaken(node: PlanNode, from: string, end: NodeEnd): boolean {
  const guard = findGuard(node, from);
  const hasSucceeded = end.status === 'succeeded';
  if (!guard) return hasSucceeded;
  if (guard.reads && !hasSucceeded) return false;
  if (guard.edges.length === 0) return hasSucceeded;
  return guard.edges.some((edge) => (edge === null ? hasSucceeded : holds(edge, end)));
}

function findGuard(node: PlanNode, from: string): Guard | undefined {
  return node.guards?.find((guard) => guard.from === from);
}

/**
 * Returns the nodes whose outputs a join uses: for a join.any the first that ended, otherwise all in the order of the
 * spec. Excludes failed nodes, which have no output.
 */
export function arrivedAt(draft: RunDraft, node: PlanNode): string[] {
  const arrived = node.after.filter((id) => isTaken(nodeState(draft, id), node.id));
  const endedAt = (id: string): number => nodeState(draft, id).endedAt?.getTime() ?? 0;
  const chosen = node.type === 'join.any' ? arrived.toSorted((a, b) => endedAt(a) - endedAt(b)).slice(0, 1) : arrived;
  return chosen.filter((id) => nodeState(draft, id).status === 'succeeded');
}
