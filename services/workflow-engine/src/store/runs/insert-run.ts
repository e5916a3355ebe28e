import type { Tx } from '@tollgate/postgres';
import type { RunDraft } from '../../domain/run/run-draft.js';
import * as sql from '../gen/runs/insert-run.js';

export interface NewRun {
  principal: Uint8Array;
  name: string | null;
  sessionId: string | null;
  input: string | null;
  modelOverride: string | null;
  traceparent: string | null;
  deadlineAt: Date;
  /** Slugs of the agents that its plan runs. */
  agents: readonly string[];
}

/** Inserts the rows of a run, its nodes and its deadline. `writeRun` writes the draft's changes in the same transaction. */
export async function insertRun(tx: Tx, draft: RunDraft, run: NewRun): Promise<void> {
  const { runId, projectId, customerId, planHash, now, plan } = draft;
  await sql.insertRun(tx, {
    ...run,
    runId,
    projectId,
    customerId,
    planHash,
    now,
    nodes: plan.nodes.map(({ id, type }, i) => ({ nodeId: id, type, position: i + 1 })),
    agents: run.agents.length === 0 ? null : run.agents,
  });
}

/** Reads the database's clock. Run times never come from a process, whose clock may be wrong. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const result = await tx.query<{ now: Date }>({ name: 'clock', text: 'SELECT clock_timestamp() AS now' });
  return (result.rows[0] as { now: Date }).now;
}
