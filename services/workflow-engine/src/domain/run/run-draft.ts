import type { RunFailure } from '../failure.js';
import type { Plan } from '../plan/plan.js';
import type { EventDraft } from './run-event.js';
import type { NodeStatus, RunStatus } from './status.js';

export interface NodeState {
  id: string;
  status: NodeStatus;
  /** Has a row in the queue: to be started, or being run. */
  isQueued: boolean;
  /** 1, and one more for every time that its `retry` let it begin again. */
  attempt: number;
  startedAt: Date | null;
  endedAt: Date | null;
  deadlineAt: Date | null;
  failure: RunFailure | null;
  /** Of an ended node: the nodes after it that its end has ruled out as far as it goes. */
  closedTo: readonly string[];
}

/** A sub-node that a transition makes. */
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
}

/**
 * A run inside one transition: its state when the run was locked, changed by the functions of run-transitions.ts, then
 * written as a whole. Nothing else of the run changes meanwhile.
 */
export interface RunDraft extends RunIdentity {
  readonly plan: Plan;
  /** The database's clock, read after the lock was taken: later than every earlier transition. */
  readonly now: Date;
  readonly statusBefore: RunStatus | null;
  status: RunStatus;
  readonly nodes: Map<string, NodeState>;
  /** Ids of nodes whose row has to be written. */
  readonly touched: Set<string>;
  readonly spawned: SpawnedNode[];
  /** Nodes to put on the queue, due after a pause. */
  readonly toQueue: { id: string; delayMs: number }[];
  /** Times at which a node has to be looked at again. */
  readonly alarms: { nodeId: string; at: Date }[];
  /** Ids of nodes whose work and alarms are void. */
  readonly toDrop: string[];
  readonly events: EventDraft[];
  /** Where the log ended before this transition. */
  readonly lastSeq: number;
  /** Bytes of everything that the run keeps already. */
  keptBytes: number;
  /** JSON of the run's outputs. */
  outputs: string | null;
  failure: RunFailure | null;
}

/** The draft of a run that does not exist yet. */
export function newDraft(facts: RunIdentity, plan: Plan, now: Date): RunDraft {
  const nodes = new Map(plan.nodes.map(({ id }) => [id, pendingNode(id)]));
  return draftOf(facts, plan, now, { nodes, status: null, keptBytes: 0, lastSeq: 0 });
}

interface StoredState {
  nodes: Map<string, NodeState>;
  keptBytes: number;
  lastSeq: number;
}

/** The draft of a locked run. */
export function openDraft(
  facts: RunIdentity,
  plan: Plan,
  now: Date,
  stored: StoredState & { status: RunStatus },
): RunDraft {
  return draftOf(facts, plan, now, stored);
}

function draftOf(
  { runId, projectId, customerId, planHash }: RunIdentity,
  plan: Plan,
  now: Date,
  stored: StoredState & { status: RunStatus | null },
): RunDraft {
  return {
    runId,
    projectId,
    customerId,
    planHash,
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
