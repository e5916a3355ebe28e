/** `node` runs or resumes a node; the others are alarms that are due at their `run_at`. */
export type WorkKind = 'node' | 'run_deadline' | 'wait_deadline' | 'node_deadline';

/** A piece of work that this process holds a lease on. */
export interface WorkItem {
  workId: bigint;
  /** Raised by every claim: who commits with an older one has been deposed. */
  epoch: number;
  kind: WorkKind;
  projectId: string;
  runId: string;
  /** Empty for work of the run itself. */
  nodeId: string;
  planHash: string;
  /** Times it was taken up again after an expired lease or put back after a failure. */
  retries: number;
  /** Times it was put back because a peer was unavailable. */
  waits: number;
}
