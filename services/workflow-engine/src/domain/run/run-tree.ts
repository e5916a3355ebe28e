import type { Guard, Plan, PlanNode } from '../plan/plan.js';
import {
  childParallelism,
  isFragmentCall,
  listGraphNodes,
  listSiblings,
  requireNode,
  toParentId,
} from '../plan/plan-tree.js';
import type { Json } from '../values/json.js';
import { holds, type NodeEnd } from './condition.js';
import { type NodeState, nodeState, type RunDraft } from './run-draft.js';
import { isTerminal } from './status.js';

/** Returns the sub-nodes of a node, in order. */
export function listChildren(draft: RunDraft, parentId: string): NodeState[] {
  return [...draft.nodes.values()].filter((node) => toParentId(node.id) === parentId);
}

/** Returns all descendants of a node. */
export function listDescendants(draft: RunDraft, nodeId: string): NodeState[] {
  return [...draft.nodes.values()].filter((node) => node.id.startsWith(`${nodeId}.`));
}

/** Returns the nodes that are ready and not queued yet, in the order of the spec. */
function readyNodes(draft: RunDraft): NodeState[] {
  const children = new Map<string, NodeState[]>();
  for (const node of draft.nodes.values()) {
    const parentId = toParentId(node.id);
    if (parentId === undefined) continue;
    const known = children.get(parentId);
    if (known) known.push(node);
    else children.set(parentId, [node]);
  }
  return draft.plan.nodes.flatMap((node) => readyBelow(draft, node, children));
}

/** Returns as many ready nodes as the run's parallelism allows, in the order of the spec. */
export function nextNodes(draft: RunDraft): NodeState[] {
  const active = [...draft.nodes.values()].filter((node) => node.isQueued).length;
  return readyNodes(draft).slice(0, Math.max(0, draft.plan.execution.max_parallelism - active));
}

/** Returns the nodes that would be queued if a node of the spec succeeded now. Changes nothing. */
export function listNodesAfter(draft: RunDraft, nodeId: string, output: Json): NodeState[] {
  const closedTo = closedLinks(draft.plan, nodeId, { status: 'succeeded', output });
  const node: NodeState = { ...nodeState(draft, nodeId), status: 'succeeded', isQueued: false, closedTo };
  return nextNodes({ ...draft, nodes: new Map(draft.nodes).set(nodeId, node) });
}

/** Returns the node itself if it is ready or, while it runs through sub-nodes, those of them that are ready. */
function readyBelow(draft: RunDraft, spec: PlanNode, children: ReadonlyMap<string, NodeState[]>): NodeState[] {
  const node = nodeState(draft, spec.id);
  if (node.isQueued) return [];
  if (node.status === 'pending') return decideReadiness(draft, spec) === 'ready' ? [node] : [];
  if (node.status !== 'running') return [];
  const own = children.get(spec.id) ?? [];
  // All sub-nodes have ended, or it has none and its client has answered.
  if (own.every((child) => isTerminal(child.status))) return [node];
  const below = ({ id }: NodeState): NodeState[] => readyBelow(draft, requireNode(draft.plan, id), children);
  const isAnswered = (child: NodeState) => child.status === 'running' && !child.isQueued && !children.has(child.id);
  const active = own.filter((child) => child.isQueued || (child.status === 'running' && !isAnswered(child)));
  const fresh = own.filter((child) => child.status === 'pending' && !child.isQueued);
  const room = Math.max(0, childParallelism(spec) - active.length);
  // Only nodes of a graph depend on each other.
  const next = [...own.filter(isAnswered), ...(spec.type === 'fragment' ? fresh.flatMap(below) : fresh)];
  return [...active.flatMap(below), ...next.slice(0, room)];
}

/** Returns all nodes that can depend on others: those of the spec and those of running fragments. */
export function linkedNodes(draft: RunDraft): PlanNode[] {
  const calls = [...draft.nodes.values()].filter(({ id, status }) => status === 'running' && isFragmentCall(id));
  const placed = calls.flatMap(({ id }) => listGraphNodes(draft.plan, id));
  return [...draft.plan.nodes, ...placed.filter(({ id }) => draft.nodes.has(id))];
}

/**
 * Whether a node can run. A link connects a node with one upstream node. When the upstream node ends, the link becomes
 * taken or closed. A node runs when all its links are taken; a join.any runs at its first taken link, and a join.collect
 * with the links taken so far. A node is skipped as soon as it can no longer run.
 */
type Readiness = 'ready' | 'skipped' | 'undecided';

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
function isTaken(upstream: NodeState, nodeId: string): boolean {
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

/** Whether the start of a node starts time limits of other nodes. */
export function startsTimeLimits(draft: RunDraft, nodeId: string): boolean {
  return listCollecting(draft, nodeId).length > 0;
}

/** Starts the time limit of each join.collect whose first upstream node has started. */
export function startCollecting(draft: RunDraft, startedId: string): void {
  for (const { node, limitMs } of listCollecting(draft, startedId)) {
    node.deadlineAt = new Date(draft.now.getTime() + limitMs);
    draft.touched.add(node.id);
    draft.alarms.push({ nodeId: node.id, at: node.deadlineAt });
  }
}

/** Returns each join.collect without a running time limit that waits for a node. */
function listCollecting(draft: RunDraft, upstreamId: string): { node: NodeState; limitMs: number }[] {
  return listSiblings(draft.plan, upstreamId).flatMap(({ id, after, ...join }) => {
    const limitMs = 'timeout_ms' in join ? join.timeout_ms : undefined;
    if (limitMs === undefined || !after.includes(upstreamId)) return [];
    const node = nodeState(draft, id);
    return node.status === 'pending' && !node.deadlineAt ? [{ node, limitMs }] : [];
  });
}
