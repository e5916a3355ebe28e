import type { Tx } from '@tollgate/postgres';
import type { RunDraft } from '../domain/run/run-draft.js';
import type { Json } from '../domain/values/json.js';
import type { LockedRun } from '../store/lock-run.js';
import type { RunSessionMessage } from '../store/queues/session-messages.js';
import type { Artifact } from '../store/write-run.js';

/** The input of a transition: the draft, the locked row, and the transaction for everything that commits with it. */
export interface RunChange {
  tx: Tx;
  run: LockedRun;
  draft: RunDraft;
  /** Written together with the draft. */
  artifacts: Artifact[];
  /** Outputs of the nodes that this transition has ended, by node id; they are not in the database yet. */
  outputs: Map<string, Json>;
  /** The message that a succeeded run appends to its session. */
  sessionMessage?: RunSessionMessage;
}
