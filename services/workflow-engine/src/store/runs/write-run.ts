import type { Tx } from '@tollgate/postgres';
import type { RunDraft } from '../../domain/run/run-draft.js';
import { isTerminal } from '../../domain/run/status.js';
import { spawnNodes } from '../gen/runs/insert-run.js';
import { deleteWorkOfNodes, insertAlarm } from '../queues/run-work.js';
import { recordUnknownCosts } from '../queues/unknown-costs.js';
import { type RunWrite, type WrittenRun, writeRuns } from './write-runs.js';

/** Whether a transition needs statements beside those of `writeRuns`, and therefore a transaction. */
export function needsTransaction({ status, spawned, alarms, toDrop }: RunDraft): boolean {
  return status === 'failed' || status === 'canceled' || spawned.length + alarms.length + toDrop.length > 0;
}

/** Writes any transition, in the transaction that holds the run's lock. */
export async function writeRun(tx: Tx, write: RunWrite): Promise<WrittenRun> {
  const { draft } = write;
  if (!isTerminal(draft.status) && draft.toDrop.length > 0) await deleteWorkOfNodes(tx, draft.runId, draft.toDrop);
  if (draft.status === 'failed' || draft.status === 'canceled' || draft.toDrop.length > 0) {
    await recordUnknownCosts(tx, draft);
  }
  if (draft.spawned.length > 0) {
    const spawned = draft.spawned.map(({ id, parentId, index, type }) => {
      const isQueued = draft.nodes.get(id)?.isQueued ?? false;
      return { nodeId: id, parentId, itemIndex: index, type, isQueued };
    });
    await spawnNodes(tx, { runId: draft.runId, spawned });
  }
  if (!isTerminal(draft.status)) {
    for (const alarm of draft.alarms) await insertAlarm(tx, { ...draft, ...alarm, kind: 'node_deadline' });
  }
  const [written] = await writeRuns(tx, [write]);
  if (!written) throw new Error(`run ${draft.runId} was not written under its lock`);
  return written;
}
