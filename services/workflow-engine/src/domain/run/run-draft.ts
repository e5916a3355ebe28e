import type { RunFailure } from '../failure.js';
import type { Plan } from '../plan/plan.js';
import type { EventDraft } from './run-event.js';
import type { NodeStatus, RunStatus } from './status.js';

export interface NodeState {
  id: string;
  status: NodeStatus;
  /** Whether it has a row in the queue: it is ready to start or running. */
  isQueued: boolean;
  /** Counts the attempts from 1; `retry` starts further ones. */
  attempt: number;
  startedAt: Date | null;
  endedAt: Date | null;
  deadlineAt: Date | null;
  failure: RunFailure | null;
  /** For an ended node: the downstream nodes whose link from it is closed. */
  closedTo: readonly string[];
}

/** A sub-node that a transition creates. */
export interface SpawnedNode {
  id: string;
  parentId: string;
  index: number;
  type: string;
}

export interface RunIdentity {
  runId: string;
  projectId: string;
  customerId: string | null;
  planHash: string;
  createdAt?: Date;
  /** W3C context of the request that started the run. */
  traceparent?: string | null;
}

/**
 * A run inside one transition: the stored state, as changed by the functions of run-transitions.ts. It is written as a
 * whole, and only if nothing else has changed the run until then.
 */
export interface RunDraft extends RunIdentity {
  readonly plan: Plan;
  /** By the database's clock. Not before any earlier transition. */
  readonly now: Date;
  readonly statusBefore: RunStatus | null;
  status: RunStatus;
  readonly nodes: Map<string, NodeState>;
  /** Ids of nodes whose rows must be written. */
  readonly touched: Set<string>;
  readonly spawned: SpawnedNode[];
  /** Nodes to queue, each with the delay after which it is due. */
  readonly toQueue: { id: string; delayMs: number }[];
  /** Times at which a node must be checked again. */
  readonly alarms: { nodeId: string; at: Date }[];
  /** Ids of nodes whose work and alarms must be deleted. */
  readonly toDrop: string[];
  readonly events: EventDraft[];
  /** The last sequence number of the log before this transition. */
  readonly lastSeq: number;
  /** Bytes of all stored values of the run. */
  keptBytes: number;
  /** JSON of the run's outputs. */
  outputs: string | null;
  failure: RunFailure | null;
}

/** Returns the draft of a new run. */
export function newDraft(identity: RunIdentity, plan: Plan, now: Date): RunDraft {
  const nodes = new Map(plan.nodes.map(({ id }) => [id, pendingNode(id)]));
  return createDraft(identity, plan, now, { nodes, status: null, keptBytes: 0, lastSeq: 0 });
}

interface StoredState {
  nodes: Map<string, NodeState>;
  keptBytes: number;
  lastSeq: number;
}

/** Returns the draft of a stored run. */
export function openDraft(
  identity: RunIdentity,
  plan: Plan,
  now: Date,
  stored: StoredState & { status: RunStatus },
): RunDraft {
  return createDraft(identity, plan, now, stored);
}

function createDraft(
  { runId, projectId, customerId, planHash, createdAt, traceparent }: RunIdentity,
  plan: Plan,
  now: Date,
  stored: StoredState & { status: RunStatus | null },
): RunDraft {
  return {
    runId,
    projectId,
    customerId,
    planHash,
    ...(createdAt && { createdAt }),
    traceparent: traceparent ?? null,
    plan,
    now,
    statusBefore: stored.status,
    status: stored.status ?? 'running',
    nodes: stored.nodes,
    touched: new Set(),
    spawned: [],
    toQueue: [],
    alarms: [],
    toDrop: [],
    events: [],
    lastSeq: stored.lastSeq,
    keptBytes: stored.keptBytes,
    outputs: null,
    failure: null,
  };
}

export function nodeState(draft: RunDraft, nodeId: string): NodeState {
  const state = draft.nodes.get(nodeId);
  if (!state) throw new Error(`run ${draft.runId} has no node ${nodeId}`);
  return state;
}

export function pendingNode(id: string): NodeState {
  return {
    id,
    status: 'pending',
    isQueued: false,
    attempt: 1,
    startedAt: null,
    endedAt: null,
    deadlineAt: null,
    failure: null,
    closedTo: [],
  };
}
