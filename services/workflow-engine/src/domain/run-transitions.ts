import { invariant } from '@tollgate/errors';
import type { RunFailure } from './failure.js';
import { type NodeState, nodeState, type RunDraft } from './run-draft.js';
import { type EventDraft, nodeEvent, nodeFailed, nodeOutput, runCompleted, runEvent, runFailed } from './run-event.js';
import { isTerminal, type NodeStatus } from './status.js';

/** Every way in which a run changes. Each function changes the draft and appends the events that tell of it. */

export function openRun(draft: RunDraft): void {
  emit(draft, runEvent('run_compiled', { plan_hash: draft.planHash }));
  emit(draft, runEvent('run_started', { plan_hash: draft.planHash }));
  advance(draft);
}

/** Begins a node; taking up a node that has begun before tells nothing new. */
export function startNode(draft: RunDraft, nodeId: string): NodeState {
  const node = nodeState(draft, nodeId);
  if (node.status === 'running') return node;
  invariant(node.status === 'pending', `${node.status} node cannot start`);
  node.startedAt = draft.now;
  node.deadlineAt = new Date(draft.now.getTime() + draft.plan.execution.node_timeout_ms);
  emit(draft, nodeEvent('node_started', nodeId));
  setStatus(draft, node, 'running');
  return node;
}

/** Tells of something that changes no state. */
export function tell(draft: RunDraft, event: EventDraft): void {
  emit(draft, event);
}

/** `events` tell how the output came about; they precede it. */
export function succeedNode(
  draft: RunDraft,
  nodeId: string,
  artifact: { bytes: number; sha256: string },
  events: readonly EventDraft[] = [],
): void {
  for (const event of events) emit(draft, event);
  emit(draft, nodeOutput(nodeId, artifact));
  emit(draft, nodeEvent('node_succeeded', nodeId));
  endNode(draft, nodeState(draft, nodeId), 'succeeded');
  advance(draft);
}

/** A failed node fails its run at once: what else runs is abandoned, what has not begun never will. */
export function failNode(
  draft: RunDraft,
  nodeId: string,
  failure: RunFailure,
  events: readonly EventDraft[] = [],
): void {
  for (const event of events) emit(draft, event);
  const node = nodeState(draft, nodeId);
  emit(draft, nodeFailed(nodeId, failure));
  node.failure = failure;
  endNode(draft, node, 'failed');
  failRun(draft, failure);
}

export function failRun(draft: RunDraft, failure: RunFailure): void {
  emit(draft, runFailed(failure));
  draft.failure = failure;
  endRun(draft, 'failed');
}

export function cancelRun(draft: RunDraft): void {
  emit(draft, runEvent('run_canceled'));
  endRun(draft, 'canceled');
}

/** Whether every node has succeeded and the run only lacks its outputs. */
export function isComplete(draft: RunDraft): boolean {
  return !isTerminal(draft.status) && [...draft.nodes.values()].every((node) => node.status === 'succeeded');
}

export function completeRun(draft: RunDraft, outputs: string): void {
  invariant(isComplete(draft), 'a run completes when all its nodes have succeeded');
  emit(draft, runCompleted(draft.planHash, outputs));
  draft.outputs = outputs;
  endRun(draft, 'succeeded');
}

/** The node gives up its place on the queue until results for its tool calls arrive. */
export function waitNode(draft: RunDraft, nodeId: string, waiting: object, events: readonly EventDraft[] = []): void {
  for (const event of events) emit(draft, event);
  emit(draft, nodeEvent('node_waiting', nodeId, { waiting }));
  const node = nodeState(draft, nodeId);
  node.isQueued = false;
  setStatus(draft, node, 'waiting');
  advance(draft);
}

/** Results have arrived: the node goes on as soon as there is room. */
export function resumeNode(draft: RunDraft, nodeId: string, events: readonly EventDraft[]): void {
  const node = nodeState(draft, nodeId);
  invariant(node.status === 'waiting', `${node.status} node does not wait`);
  for (const event of events) emit(draft, event);
  // The time a node waits for its client is bounded by its own limit, not by the node's timeout.
  node.deadlineAt = new Date(draft.now.getTime() + draft.plan.execution.node_timeout_ms);
  setStatus(draft, node, 'running');
  queue(draft, node);
  draft.status = 'running';
}

/** Takes as many ready nodes as the run's parallelism allows, in the order of the spec. */
function advance(draft: RunDraft): void {
  const active = [...draft.nodes.values()].filter((node) => node.isQueued).length;
  const room = draft.plan.execution.max_parallelism - active;
  const ready = draft.plan.nodes.filter(({ id, after }) => {
    const node = nodeState(draft, id);
    return (
      node.status === 'pending' && !node.isQueued && after.every((up) => nodeState(draft, up).status === 'succeeded')
    );
  });
  for (const { id } of ready.slice(0, Math.max(0, room))) queue(draft, nodeState(draft, id));
  draft.status = isBlockedOnClient(draft) ? 'waiting' : 'running';
}

/** Nothing can go on by itself: every node that could is waiting for its client. */
function isBlockedOnClient(draft: RunDraft): boolean {
  const states = [...draft.nodes.values()];
  return states.some((node) => node.status === 'waiting') && !states.some((node) => node.isQueued);
}

function queue(draft: RunDraft, node: NodeState): void {
  node.isQueued = true;
  draft.touched.add(node.id);
  draft.toQueue.push(node.id);
}

function endNode(draft: RunDraft, node: NodeState, status: 'succeeded' | 'failed' | 'canceled'): void {
  invariant(!isTerminal(node.status), `${node.status} node cannot end again`);
  node.endedAt = draft.now;
  node.isQueued = false;
  setStatus(draft, node, status);
}

function endRun(draft: RunDraft, status: 'succeeded' | 'failed' | 'canceled'): void {
  for (const node of draft.nodes.values()) {
    if (!isTerminal(node.status)) endNode(draft, node, 'canceled');
  }
  draft.toQueue.length = 0;
  draft.status = status;
}

function setStatus(draft: RunDraft, node: NodeState, status: NodeStatus): void {
  node.status = status;
  draft.touched.add(node.id);
}

function emit(draft: RunDraft, event: EventDraft): void {
  invariant(!isTerminal(draft.status), 'nothing follows the terminal event');
  draft.events.push(event);
}
