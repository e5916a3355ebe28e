import type { Queryable, Tx } from '@tollgate/postgres';
import type { RunDraft } from '../domain/run-draft.js';

/** The ledger settles a call that was cut off within moments; asked at once it would not know yet. */
const FIRST_DELAY_MS = 250;

/**
 * Remembers the calls that this transition cuts off: their provider may have served something, and only the ledger will
 * know what it cost. Calls that have a successor are not among them: those are lost attempts, the owner's business.
 */
export async function recordUnknownCosts(tx: Tx, draft: RunDraft): Promise<void> {
  const isOver = draft.status === 'failed' || draft.status === 'canceled';
  await tx.query({
    name: 'run_unknown_costs.record',
    text: `
      INSERT INTO run_unknown_costs (request_id, run_id, node_id, step, attempt, due_at)
      SELECT s.request_id, s.run_id, s.node_id, s.step, s.attempt, now() + $4 * interval '1 ms'
      FROM run_steps s
      WHERE s.run_id = $1 AND s.status IN ('dispatched', 'ambiguous') AND s.cost_microcents IS NULL
        AND ($2 OR s.node_id = ANY($3::text[]))
        AND NOT EXISTS (SELECT FROM run_steps later WHERE later.run_id = s.run_id AND later.node_id = s.node_id
                        AND later.step = s.step AND later.attempt > s.attempt)
      ON CONFLICT DO NOTHING`,
    values: [draft.runId, isOver, draft.toDrop, FIRST_DELAY_MS],
  });
}

export interface UnknownCost {
  requestId: string;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
  tries: number;
  /** Whether a customer pays for the run. */
  hasCustomer: boolean;
  /** Serialized: who started the run. */
  principal: Buffer;
}

interface Row {
  request_id: string;
  run_id: string;
  node_id: string;
  step: number;
  attempt: number;
  tries: number;
  has_customer: boolean;
  principal: Buffer;
}

/** Takes up to `limit` of those that are due, and puts them off: asked again only if this process gets no answer. */
export async function takeUnknownCosts(db: Queryable, limit: number): Promise<UnknownCost[]> {
  const result = await db.query<Row>({
    name: 'run_unknown_costs.take',
    text: `
      WITH due AS (
        SELECT request_id FROM run_unknown_costs WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      UPDATE run_unknown_costs u
      SET tries = tries + 1, due_at = now() + least(3600, 0.25 * 2 ^ least(tries + 1, 14)) * interval '1 s'
      FROM due, runs WHERE u.request_id = due.request_id AND runs.run_id = u.run_id
      RETURNING u.request_id, u.run_id, u.node_id, u.step, u.attempt, u.tries,
                runs.customer_id IS NOT NULL AS has_customer, runs.principal`,
    values: [limit],
  });
  return result.rows.map((row) => ({
    requestId: row.request_id,
    runId: row.run_id,
    nodeId: row.node_id,
    step: row.step,
    attempt: row.attempt,
    tries: row.tries,
    hasCustomer: row.has_customer,
    principal: row.principal,
  }));
}

export async function forgetUnknownCosts(db: Queryable, requestIds: readonly string[]): Promise<void> {
  await db.query('DELETE FROM run_unknown_costs WHERE request_id = ANY($1::uuid[])', [requestIds]);
}

/** What a call that was cut off has cost, from the ledger. Its answer stays unknown. */
export async function storeKnownCost(
  db: Queryable,
  step: Pick<UnknownCost, 'runId' | 'nodeId' | 'step' | 'attempt'>,
  cost: { microcents: bigint; inputTokens: bigint; outputTokens: bigint },
): Promise<void> {
  await db.query({
    name: 'run_steps.known_cost',
    text: `UPDATE run_steps
           SET status = 'failed', ended_at = coalesce(ended_at, clock_timestamp()), cost_microcents = $5,
               input_tokens = $6, output_tokens = $7
           WHERE run_id = $1 AND node_id = $2 AND step = $3 AND attempt = $4 AND cost_microcents IS NULL`,
    values: [step.runId, step.nodeId, step.step, step.attempt, cost.microcents, cost.inputTokens, cost.outputTokens],
  });
}
