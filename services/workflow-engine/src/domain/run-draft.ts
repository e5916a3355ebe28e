import type { RunFailure } from './failure.js';
import type { Plan } from './plan.js';
import type { EventDraft } from './run-event.js';
import type { NodeStatus, RunStatus } from './status.js';

export interface NodeState {
  id: string;
  status: NodeStatus;
  /** Has a row in the queue: to be started, or being run. */
  isQueued: boolean;
  startedAt: Date | null;
  endedAt: Date | null;
  deadlineAt: Date | null;
  failure: RunFailure | null;
}

export interface RunFacts {
  runId: string;
  projectId: string;
  customerId: string | null;
  planHash: string;
}

/**
 * A run inside one transition: its state when the run was locked, changed by the functions of run-transitions.ts, then
 * written as a whole. Nothing else of the run changes meanwhile.
 */
export interface RunDraft extends RunFacts {
  readonly plan: Plan;
  /** The database's clock, read after the lock was taken: later than every earlier transition. */
  readonly now: Date;
  readonly statusBefore: RunStatus | null;
  status: RunStatus;
  readonly nodes: Map<string, NodeState>;
  /** Ids of nodes whose row has to be written. */
  readonly touched: Set<string>;
  /** Ids of nodes to put on the queue. */
  readonly toQueue: string[];
  readonly events: EventDraft[];
  /** Bytes of the node outputs that the run keeps already. */
  keptBytes: number;
  /** JSON of the run's outputs. */
  outputs: string | null;
  failure: RunFailure | null;
}

/** The draft of a run that does not exist yet. */
export function newDraft(facts: RunFacts, plan: Plan, now: Date): RunDraft {
  const nodes = new Map(plan.nodes.map(({ id }) => [id, pendingNode(id)]));
  return draftOf(facts, plan, now, nodes, null, 0);
}

/** The draft of a locked run. */
export function openDraft(
  facts: RunFacts,
  plan: Plan,
  now: Date,
  stored: { nodes: Map<string, NodeState>; status: RunStatus; keptBytes: number },
): RunDraft {
  return draftOf(facts, plan, now, stored.nodes, stored.status, stored.keptBytes);
}

function draftOf(
  { runId, projectId, customerId, planHash }: RunFacts,
  plan: Plan,
  now: Date,
  nodes: Map<string, NodeState>,
  statusBefore: RunStatus | null,
  keptBytes: number,
): RunDraft {
  return {
    runId,
    projectId,
    customerId,
    planHash,
    plan,
    now,
    statusBefore,
    status: statusBefore ?? 'running',
    nodes,
    touched: new Set(),
    toQueue: [],
    events: [],
    keptBytes,
    outputs: null,
    failure: null,
  };
}

export function nodeState(draft: RunDraft, nodeId: string): NodeState {
  const state = draft.nodes.get(nodeId);
  if (!state) throw new Error(`run ${draft.runId} has no node ${nodeId}`);
  return state;
}

function pendingNode(id: string): NodeState {
  return { id, status: 'pending', isQueued: false, startedAt: null, endedAt: null, deadlineAt: null, failure: null };
}
