import type { PlanNode } from '../plan/plan.js';
import { childParallelism, isFragmentCall, listGraphNodes, requireNode, toParentId } from '../plan/plan-tree.js';
import type { Json } from '../values/json.js';
import { closedLinks, decideReadiness } from './readiness.js';
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
export function readyNodes(draft: RunDraft): NodeState[] {
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
