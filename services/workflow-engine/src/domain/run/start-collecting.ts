import { listSiblings } from '../plan/plan-tree.js';
import { type NodeState, nodeState, type RunDraft } from './run-draft.js';

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
