import { invariant } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';
import { childId, judgesFailures, nodeOf, parentIdOf, scheduledPlace, siblingsOf } from '../plan/plan-tree.js';
import type { Json } from '../values/json.js';
import type { NodeEnd } from './condition.js';
import { closedLinks, isFailureHandled, readinessOf } from './readiness.js';
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
import { descendantsOf, linkedNodes, readyNodes } from './run-tree.js';
import { isTerminal, type NodeStatus } from './status.js';
import { nodeTimeoutMs } from './time-limit.js';

/** Every way in which a run changes. Each function changes the draft and appends the events that tell of it. */

export function openRun(draft: RunDraft): void {
  emit(draft, runEvent('run_compiled', { plan_hash: draft.planHash }));
  emit(draft, runEvent('run_started', { plan_hash: draft.planHash }));
  advance(draft);
}

/** Begins a node; taking up a node that has begun before tells nothing new. */
export function startNode(draft: RunDraft, nodeId: string): NodeState {
  const node = nodeState(draft, nodeId);
  if (node.status === 'running' && node.deadlineAt) return node;
  invariant(node.status === 'pending' || node.status === 'running', `${node.status} node cannot start`);
  node.deadlineAt = deadlineOf(draft, nodeId);
  if (node.status === 'pending') {
    node.startedAt = draft.now;
    emit(draft, nodeEvent('node_started', nodeId));
    beginCollecting(draft, nodeId);
  }
  setStatus(draft, node, 'running');
  return node;
}

/** The time of a join.collect runs from the start of the first node before it. */
function beginCollecting(draft: RunDraft, startedId: string): void {
  for (const { id, after, ...join } of siblingsOf(draft.plan, startedId)) {
    const limitMs = 'timeout_ms' in join ? join.timeout_ms : undefined;
    if (limitMs === undefined || !after.includes(startedId)) continue;
    const node = nodeState(draft, id);
    if (node.status !== 'pending' || node.deadlineAt) continue;
    node.deadlineAt = new Date(draft.now.getTime() + limitMs);
    draft.touched.add(id);
    draft.alarms.push({ nodeId: id, at: node.deadlineAt });
  }
}

/** Tells of something that changes no state. */
export function tell(draft: RunDraft, event: EventDraft): void {
  emit(draft, event);
}

/** What a node has made. */
export interface NodeResult {
  output: Json;
  artifact: { bytes: number; sha256: string };
}

/** `events` tell how the output came about; they precede it. */
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
  tellScheduler(draft, nodeId, 'succeeded');
  advance(draft);
}

/**
 * A failed node begins again if its `retry` says so. Else it fails its parent, or, unless an edge asks for its failure,
 * its run at once: what else runs is abandoned, what has not begun never will.
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
  const { retry } = nodeOf(draft.plan, nodeId);
  if (retry && isRetried(retry, node.attempt, failure)) {
    retryNode(draft, node, failure, retry.backoff_ms);
    return;
  }
  const end: NodeEnd = { status: 'failed', failure };
  const isHandled = isFailureHandled(draft.plan, nodeId, end);
  node.failure = failure;
  const canceled = endNode(draft, node, end);
  emit(draft, nodeFailed(nodeId, failure, canceled));
  tellScheduler(draft, nodeId, 'failed', failure);
  const parentId = parentIdOf(nodeId);
  if (isHandled || (parentId !== undefined && judgesFailures(nodeOf(draft.plan, parentId)))) advance(draft);
  else if (parentId !== undefined) failNode(draft, parentId, failure);
  else failRun(draft, failure);
}

/** An agent of a scheduler's round has ended. */
function tellScheduler(draft: RunDraft, nodeId: string, status: NodeStatus, failure?: RunFailure): void {
  const parentId = parentIdOf(nodeId);
  const place = parentId === undefined ? undefined : scheduledPlace(nodeId);
  if (parentId === undefined || !place) return;
  const node = nodeOf(draft.plan, nodeId);
  const agent = node.type === 'agent.run' ? `${node.agent.slug}@${node.agent.revision}` : '';
  const who = place.worker ? { role: 'agent', index: place.worker.nth } : { role: 'coordinator' };
  const error = failure && { error: { code: failure.code, message: failure.message } };
  const facts = { round: place.round, agent, ...who, agent_node_id: nodeId, status, ...error };
  emit(draft, schedulerEvent('scheduler_agent_completed', parentId, facts));
}

function retryNode(draft: RunDraft, node: NodeState, failure: RunFailure, delayMs: number): void {
  for (const child of descendantsOf(draft, node.id)) abandon(draft, child);
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

/** Whether every node has ended and the run only lacks its outputs. */
export function isComplete(draft: RunDraft): boolean {
  return !isTerminal(draft.status) && [...draft.nodes.values()].every((node) => isTerminal(node.status));
}

export function completeRun(draft: RunDraft, outputs: string): void {
  invariant(isComplete(draft), 'a run completes when all its nodes have ended');
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
  // Its time begins when it is taken up: waiting, for the client or for room, is not on its account.
  node.deadlineAt = null;
  setStatus(draft, node, 'running');
  advance(draft);
}

/** Gives a running node numbered sub-nodes of these types. */
export function spawnNodes(draft: RunDraft, parentId: string, types: readonly string[]): void {
  const nodes = types.map((type, index) => ({ id: childId(parentId, index), type }));
  spawnChildren(draft, parentId, nodes);
}

/** Gives a running node sub-nodes. It leaves the queue, and is taken up again when the last of them has ended. */
export function spawnChildren(draft: RunDraft, parentId: string, nodes: readonly { id: string; type: string }[]): void {
  const before = descendantsOf(draft, topOf(parentId)).length;
  for (const [index, { id, type }] of nodes.entries()) {
    draft.nodes.set(id, pendingNode(id));
    draft.spawned.push({ id, parentId, index: before + index, type });
  }
  const parent = nodeState(draft, parentId);
  parent.isQueued = false;
  draft.touched.add(parentId);
  advance(draft);
}

/** Sub-nodes are numbered below the node of the spec that they belong to, in the order in which they came to be. */
function topOf(nodeId: string): string {
  return nodeId.split('.', 1)[0] as string;
}

/** Takes as many ready nodes as the run's parallelism allows, in the order of the spec. */
function advance(draft: RunDraft): void {
  const active = [...draft.nodes.values()].filter((node) => node.isQueued).length;
  const room = Math.max(0, draft.plan.execution.max_parallelism - active);
  for (const node of readyNodes(draft).slice(0, room)) queue(draft, node);
  draft.status = isBlockedOnClient(draft) ? 'waiting' : 'running';
}

/** Nothing can go on by itself: every node that could is waiting for its client. */
function isBlockedOnClient(draft: RunDraft): boolean {
  const states = [...draft.nodes.values()];
  return states.some((node) => node.status === 'waiting') && !states.some((node) => node.isQueued);
}

function queue(draft: RunDraft, node: NodeState, delayMs = 0): void {
  node.isQueued = true;
  draft.touched.add(node.id);
  draft.toQueue.push({ id: node.id, delayMs });
}

/** Returns the other nodes that this end has ended too: abandoned sub-nodes, and nodes whose turn can never come. */
function endNode(draft: RunDraft, node: NodeState, end: NodeEnd): string[] {
  closeNode(draft, node, end);
  const canceled: NodeState[] = [];
  for (const child of descendantsOf(draft, node.id)) {
    if (abandon(draft, child)) canceled.push(child);
  }
  return [...canceled, ...skipUnreachable(draft)].map(({ id }) => id);
}

/** False for a sub-node that has ended by itself. */
function abandon(draft: RunDraft, node: NodeState): boolean {
  if (isTerminal(node.status)) return false;
  closeNode(draft, node, { status: 'canceled' });
  draft.toDrop.push(node.id);
  return true;
}

/** A skipped node may leave others without hope, so this goes on until nothing changes. */
function skipUnreachable(draft: RunDraft): NodeState[] {
  const skipped: NodeState[] = [];
  for (let found = true; found; ) {
    found = false;
    for (const spec of linkedNodes(draft)) {
      const node = nodeState(draft, spec.id);
      if (node.status !== 'pending' || node.isQueued || readinessOf(draft, spec) !== 'skipped') continue;
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

function deadlineOf(draft: RunDraft, nodeId: string): Date {
  return new Date(draft.now.getTime() + nodeTimeoutMs(draft.plan, nodeOf(draft.plan, nodeId)));
}

function setStatus(draft: RunDraft, node: NodeState, status: NodeStatus): void {
  node.status = status;
  draft.touched.add(node.id);
}

function emit(draft: RunDraft, event: EventDraft): void {
  invariant(!isTerminal(draft.status), 'nothing follows the terminal event');
  draft.events.push(event);
}
