/** `node` runs or resumes a node. The others are alarms that are due at their `run_at`. */
export type WorkKind = 'node' | 'run_deadline' | 'wait_deadline' | 'node_deadline';

/** A piece of work that is leased to this process. */
export interface WorkItem {
  workId: bigint;
  /** Incremented by every claim. A commit with an older epoch is rejected. */
  epoch: number;
  kind: WorkKind;
  projectId: string;
  runId: string;
  /** Empty for work of the run itself. */
  nodeId: string;
  planHash: string;
  /** How often its lease expired or a try failed. */
  retries: number;
  /** How often it was released because a peer was unavailable. */
  waits: number;
}
