import type { Tx } from '@tollgate/postgres';
import type { RunDraft } from '../domain/run/run-draft.js';
import { isTerminal } from '../domain/run/status.js';
import { Parameters } from './parameters.js';
import { deleteWorkOfNodes, insertAlarm } from './queues/run-work.js';
import { recordUnknownCosts } from './queues/unknown-costs.js';
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
    await tx.query({ name: 'run_nodes.spawn', text: SPAWN, values: spawnParameters.values(draft) });
  }
  if (!isTerminal(draft.status)) {
    for (const alarm of draft.alarms) await insertAlarm(tx, { ...draft, ...alarm, kind: 'node_deadline' });
  }
  const [written] = await writeRuns(tx, [write]);
  if (!written) throw new Error(`run ${draft.runId} was not written under its lock`);
  return written;
}

const spawnParameters = new Parameters<RunDraft>();
const SPAWN_RUN_ID = spawnParameters.value('uuid', ({ runId }) => runId);
const SPAWNED = spawnParameters.rows(
  's',
  ({ spawned, nodes }) => spawned.map((node) => ({ ...node, isQueued: nodes.get(node.id)?.isQueued ?? false })),
  {
    node_id: ['text', (node) => node.id],
    parent_id: ['text', (node) => node.parentId],
    item_index: ['int', (node) => node.index],
    type: ['text', (node) => node.type],
    is_queued: ['bool', (node) => node.isQueued],
  },
);

const SPAWN = `
  INSERT INTO run_nodes (run_id, node_id, position, item_index, type, status, is_queued)
  SELECT ${SPAWN_RUN_ID}, s.node_id, p.position, s.item_index, s.type, 'pending', s.is_queued
  FROM ${SPAWNED}
  JOIN run_nodes p ON p.run_id = ${SPAWN_RUN_ID} AND p.node_id = s.parent_id`;
