import { invariant } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';
import { childId, judgesFailures, requireNode, scheduledPlace, toParentId } from '../plan/plan-tree.js';
import type { Json } from '../values/json.js';
import type { NodeEnd } from './condition.js';
import { isRetried } from './retry.js';
import { type NodeState, nodeState, pendingNode, type RunDraft } from './run-draft.js';
import {
  type EventDraft,
  nodeEvent,
  nodeFailed,
  nodeOutput,
  nodeSucceeded,
  retryDelta,
  runCompleted,
  runEvent,
  runFailed,
  schedulerEvent,
} from './run-event.js';
import {
  closedLinks,
  decideReadiness,
  isFailureHandled,
  linkedNodes,
  listDescendants,
  nextNodes,
  startCollecting,
} from './run-tree.js';
import { isTerminal, type NodeStatus } from './status.js';
import { nodeTimeoutMs } from './time-limit.js';

/** All changes of a run. Each function changes the draft and appends the events of the change. */

export function openRun(draft: RunDraft): void {
  emit(draft, runEvent('run_compiled', { plan_hash: draft.planHash }));
  emit(draft, runEvent('run_started', { plan_hash: draft.planHash }));
  advance(draft);
}

/** Starts a node. Resuming a node that has started before emits no event. */
export function startNode(draft: RunDraft, nodeId: string): NodeState {
  const node = nodeState(draft, nodeId);
  if (node.status === 'running' && node.deadlineAt) return node;
  invariant(node.status === 'pending' || node.status === 'running', `${node.status} node cannot start`);
  node.deadlineAt = findDeadline(draft, nodeId);
  if (node.status === 'pending') {
    node.startedAt = draft.now;
    emit(draft, nodeEvent('node_started', nodeId));
    startCollecting(draft, nodeId);
  }
  setStatus(draft, node, 'running');
  return node;
}

/** A node's output and where it is stored. */
export interface NodeResult {
  output: Json;
  artifact: { bytes: number; sha256: string };
}

/** `events` precede those of the node's end. */
export function succeedNode(
  draft: RunDraft,
  nodeId: string,
  { output, artifact }: NodeResult,
  events: readonly EventDraft[] = [],
): void {
  for (const event of events) emit(draft, event);
  emit(draft, nodeOutput(nodeId, artifact));
  const canceled = endNode(draft, nodeState(draft, nodeId), { status: 'succeeded', output });
  emit(draft, nodeSucceeded(nodeId, canceled));
  emitAgentCompleted(draft, nodeId, 'succeeded');
  advance(draft);
}

/**
 * Fails a node, or starts it again if its `retry` allows that. A failed node fails its parent or, unless an edge
 * handles the failure, its run at once: the run's other nodes are canceled.
 */
export function failNode(
  draft: RunDraft,
  nodeId: string,
  failure: RunFailure,
  events: readonly EventDraft[] = [],
): void {
  for (const event of events) emit(draft, event);
  const node = nodeState(draft, nodeId);
  draft.toDrop.push(nodeId);
  const { retry } = requireNode(draft.plan, nodeId);
  if (retry && isRetried(retry, node.attempt, failure)) {
    retryNode(draft, node, failure, retry.backoff_ms);
    return;
  }
  const end: NodeEnd = { status: 'failed', failure };
  const isHandled = isFailureHandled(draft.plan, nodeId, end);
  node.failure = failure;
  const canceled = endNode(draft, node, end);
  emit(draft, nodeFailed(nodeId, failure, canceled));
  emitAgentCompleted(draft, nodeId, 'failed', failure);
  const parentId = toParentId(nodeId);
  if (isHandled || (parentId !== undefined && judgesFailures(requireNode(draft.plan, parentId)))) advance(draft);
  else if (parentId !== undefined) failNode(draft, parentId, failure);
  else failRun(draft, failure);
}

/** Emits the end of an agent of a scheduler's round; does nothing for other nodes. */
function emitAgentCompleted(draft: RunDraft, nodeId: string, status: NodeStatus, failure?: RunFailure): void {
  const parentId = toParentId(nodeId);
  const place = parentId === undefined ? undefined : scheduledPlace(nodeId);
  if (parentId === undefined || !place) return;
  const node = requireNode(draft.plan, nodeId);
  const agent = node.type === 'agent.run' ? `${node.agent.slug}@${node.agent.revision}` : '';
  const role = place.worker ? { role: 'agent', index: place.worker.nth } : { role: 'coordinator' };
  const error = failure && { error: { code: failure.code, message: failure.message } };
  const fields = { round: place.round, agent, ...role, agent_node_id: nodeId, status, ...error };
  emit(draft, schedulerEvent('scheduler_agent_completed', parentId, fields));
}

function retryNode(draft: RunDraft, node: NodeState, failure: RunFailure, delayMs: number): void {
  for (const child of listDescendants(draft, node.id)) cancelNode(draft, child);
  node.attempt += 1;
  node.deadlineAt = null;
  emit(draft, retryDelta(node.id, node.attempt, failure));
  setStatus(draft, node, 'running');
  queue(draft, node, delayMs);
  advance(draft);
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

/** Whether every node has ended, so that only the run's outputs are missing. */
export function isComplete(draft: RunDraft): boolean {
  return !isTerminal(draft.status) && [...draft.nodes.values()].every((node) => isTerminal(node.status));
}

export function completeRun(draft: RunDraft, outputs: string): void {
  invariant(isComplete(draft), 'a run completes only when all its nodes have ended');
  emit(draft, runCompleted(draft.planHash, outputs));
  draft.outputs = outputs;
  endRun(draft, 'succeeded');
}

/** Takes a node off the queue until results for its tool calls arrive. */
export function waitNode(draft: RunDraft, nodeId: string, waiting: object, events: readonly EventDraft[] = []): void {
  for (const event of events) emit(draft, event);
  emit(draft, nodeEvent('node_waiting', nodeId, { waiting }));
  const node = nodeState(draft, nodeId);
  node.isQueued = false;
  setStatus(draft, node, 'waiting');
  advance(draft);
}

/** Makes a node whose results have arrived ready to resume. */
export function resumeNode(draft: RunDraft, nodeId: string, events: readonly EventDraft[]): void {
  const node = nodeState(draft, nodeId);
  invariant(node.status === 'waiting', `${node.status} node is not waiting`);
  for (const event of events) emit(draft, event);
  // The time limit starts when the node resumes: it does not include the wait for the client or for free capacity.
  node.deadlineAt = null;
  setStatus(draft, node, 'running');
  advance(draft);
}

/** Adds numbered sub-nodes of these types to a running node. */
export function spawnNodes(draft: RunDraft, parentId: string, types: readonly string[]): void {
  const nodes = types.map((type, index) => ({ id: childId(parentId, index), type }));
  spawnChildren(draft, parentId, nodes);
}

/** Adds sub-nodes to a running node. The node leaves the queue and resumes when the last of them has ended. */
export function spawnChildren(draft: RunDraft, parentId: string, nodes: readonly { id: string; type: string }[]): void {
  const before = listDescendants(draft, topNodeId(parentId)).length;
  for (const [index, { id, type }] of nodes.entries()) {
    draft.nodes.set(id, pendingNode(id));
    draft.spawned.push({ id, parentId, index: before + index, type });
  }
  const parent = nodeState(draft, parentId);
  parent.isQueued = false;
  draft.touched.add(parentId);
  advance(draft);
}

/**
 * Returns the node of the spec that a sub-node belongs to. Its sub-nodes are numbered in the order of their creation.
 */
function topNodeId(nodeId: string): string {
  return nodeId.split('.', 1)[0] as string;
}

/** Queues as many ready nodes as the run's parallelism allows, in the order of the spec. */
function advance(draft: RunDraft): void {
  for (const node of nextNodes(draft)) queue(draft, node);
  draft.status = isBlockedOnClient(draft) ? 'waiting' : 'running';
}

/** Whether every active node waits for its client. */
function isBlockedOnClient(draft: RunDraft): boolean {
  const states = [...draft.nodes.values()];
  return states.some((node) => node.status === 'waiting') && !states.some((node) => node.isQueued);
}

function queue(draft: RunDraft, node: NodeState, delayMs = 0): void {
  node.isQueued = true;
  draft.touched.add(node.id);
  draft.toQueue.push({ id: node.id, delayMs });
}

/** Ends a node. Returns the other nodes that end with it: active sub-nodes, and nodes that can never become ready. */
function endNode(draft: RunDraft, node: NodeState, end: NodeEnd): string[] {
  closeNode(draft, node, end);
  const canceled: NodeState[] = [];
  for (const child of listDescendants(draft, node.id)) {
    if (cancelNode(draft, child)) canceled.push(child);
  }
  return [...canceled, ...skipUnreachable(draft)].map(({ id }) => id);
}

/** Cancels a sub-node. Returns false if it has ended already. */
function cancelNode(draft: RunDraft, node: NodeState): boolean {
  if (isTerminal(node.status)) return false;
  closeNode(draft, node, { status: 'canceled' });
  draft.toDrop.push(node.id);
  return true;
}

/**
 * Cancels pending nodes that can never become ready. Each may rule out further nodes, so this repeats until none is
 * left.
 */
function skipUnreachable(draft: RunDraft): NodeState[] {
  const skipped: NodeState[] = [];
  for (let found = true; found; ) {
    found = false;
    for (const spec of linkedNodes(draft)) {
      const node = nodeState(draft, spec.id);
      if (node.status !== 'pending' || node.isQueued || decideReadiness(draft, spec) !== 'skipped') continue;
      closeNode(draft, node, { status: 'canceled' });
      skipped.push(node);
      found = true;
    }
  }
  return skipped;
}

function closeNode(draft: RunDraft, node: NodeState, end: NodeEnd): void {
  invariant(!isTerminal(node.status), `${node.status} node cannot end again`);
  node.endedAt = draft.now;
  node.isQueued = false;
  node.closedTo = closedLinks(draft.plan, node.id, end);
  setStatus(draft, node, end.status);
}

function endRun(draft: RunDraft, status: 'succeeded' | 'failed' | 'canceled'): void {
  for (const node of draft.nodes.values()) {
    if (isTerminal(node.status)) continue;
    node.endedAt = draft.now;
    node.isQueued = false;
    setStatus(draft, node, 'canceled');
  }
  draft.toQueue.length = 0;
  draft.status = status;
}

function findDeadline(draft: RunDraft, nodeId: string): Date {
  return new Date(draft.now.getTime() + nodeTimeoutMs(draft.plan, requireNode(draft.plan, nodeId)));
}

function setStatus(draft: RunDraft, node: NodeState, status: NodeStatus): void {
  node.status = status;
  draft.touched.add(node.id);
}

/** Appends an event. Transitions call it themselves; use it for events that change no state. */
export function emit(draft: RunDraft, event: EventDraft): void {
  invariant(!isTerminal(draft.status), 'no event may follow the terminal event');
  draft.events.push(event);
}
