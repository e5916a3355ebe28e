import type { Queryable, Tx } from '@tollgate/postgres';
import type { RunDraft } from '../domain/run/run-draft.js';
import type { Json } from '../domain/values/json.js';
import type { Artifact } from '../store/artifacts.js';
import type { RunSessionMessage } from '../store/queues/session-messages.js';
import type { LockedRun } from '../store/runs/lock-run.js';
import type { StepWrites } from '../store/runs/write-runs.js';

/** The input of a transition: the draft, and everything that commits with it. */
export interface OpenRun {
  /** For reads. Outside a transaction, they see what was committed before the transition. */
  db: Queryable;
  run: LockedRun;
  draft: RunDraft;
  /** Written together with the draft. */
  artifacts: Artifact[];
  /** Written together with the draft. */
  steps: StepWrites;
  /** Outputs of the nodes that this transition has ended, by node id; they are not in the database yet. */
  outputs: Map<string, Json>;
  /** Stored outputs of earlier nodes that need no query, by node id. */
  stored: ReadonlyMap<string, Artifact>;
}

/** A transition that holds the run's lock: its transaction takes any other write. */
export interface RunChange extends OpenRun {
  tx: Tx;
  /** The message that a succeeded run appends to its session. */
  sessionMessage?: RunSessionMessage;
}
