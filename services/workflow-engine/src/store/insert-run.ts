import type { Tx } from '@tollgate/postgres';
import type { RunDraft } from '../domain/run/run-draft.js';

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
  await tx.query({
    name: 'runs.insert',
    text: `
      WITH run AS (
        INSERT INTO runs (run_id, project_id, customer_id, plan_hash, name, status, principal, session_id, input,
                          model_override, created_at, traceparent, agents)
        VALUES ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9, $10, $13, $15)
      ), deadline AS (
        INSERT INTO run_work (project_id, run_id, node_id, kind, run_at) VALUES ($2, $1, '', 'run_deadline', $14)
      )
      INSERT INTO run_nodes (run_id, node_id, position, type, status, is_queued)
      SELECT $1, n.node_id, n.position, n.type, 'pending', false
      FROM unnest($11::text[], $12::text[]) WITH ORDINALITY AS n(node_id, type, position)`,
    values: [
      draft.runId,
      draft.projectId,
      draft.customerId,
      draft.planHash,
      run.name,
      Buffer.from(run.principal),
      run.sessionId,
      run.input,
      run.modelOverride,
      draft.now,
      draft.plan.nodes.map((node) => node.id),
      draft.plan.nodes.map((node) => node.type),
      run.traceparent,
      run.deadlineAt,
      run.agents.length === 0 ? null : run.agents,
    ],
  });
}

/** Reads the database's clock. Run times never come from a process, whose clock may be wrong. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const result = await tx.query<{ now: Date }>({ name: 'clock', text: 'SELECT clock_timestamp() AS now' });
  return (result.rows[0] as { now: Date }).now;
}
