import type { Queryable, Tx } from '@tollgate/postgres';
import type { RunDraft } from '../../domain/run/run-draft.js';
import type { StepRef } from '../../domain/step/model-step.js';

/** Delay of the first question. The ledger settles a call shortly after it was cut off. */
const FIRST_DELAY_MS = 250;

/**
 * Records the model calls that end in this transition without a known cost: the ledger will know the cost of those that
 * were sent, and the hold of the others must be released. Excludes calls that have a successor: those are lost
 * attempts, which are charged to the owner.
 */
export async function recordUnknownCosts(tx: Tx, draft: RunDraft): Promise<void> {
  const isOver = draft.status === 'failed' || draft.status === 'canceled';
  await tx.query({
    name: 'run_unknown_costs.record',
    text: `
      INSERT INTO run_unknown_costs (request_id, run_id, node_id, step, attempt, due_at)
      SELECT s.request_id, s.run_id, s.node_id, s.step, s.attempt, now() + $4 * interval '1 ms'
      FROM run_steps s
      WHERE s.run_id = $1 AND s.cost_microcents IS NULL
        AND (s.status IN ('intent', 'dispatched', 'ambiguous') OR (s.status = 'failed' AND s.dispatched_at IS NOT NULL))
        AND ($2 OR s.node_id = ANY($3::text[]))
        AND NOT EXISTS (SELECT FROM run_steps later WHERE later.run_id = s.run_id AND later.node_id = s.node_id
                        AND later.step = s.step AND later.attempt > s.attempt)
      ON CONFLICT DO NOTHING`,
    values: [draft.runId, isOver, draft.toDrop, FIRST_DELAY_MS],
  });
}

/** Records one call that will never be sent. */
export async function recordUnusedHold(tx: Tx, { ref, holdId }: { ref: StepRef; holdId: string }): Promise<void> {
  await tx.query({
    name: 'run_unknown_costs.record_unused',
    text: `INSERT INTO run_unknown_costs (request_id, run_id, node_id, step, attempt, due_at)
           VALUES ($1, $2, $3, $4, $5, date_trunc('milliseconds', now())) ON CONFLICT DO NOTHING`,
    values: [holdId, ref.runId, ref.nodeId, ref.step, ref.attempt],
  });
}

export interface UnknownCost {
  holdId: string;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
  tries: number;
  /** Whether the call was sent. */
  wasDispatched: boolean;
  /** Whether a customer pays for the run. */
  hasCustomer: boolean;
  /** The serialized principal that started the run. */
  principal: Buffer;
}

interface Row {
  request_id: string;
  run_id: string;
  node_id: string;
  step: number;
  attempt: number;
  tries: number;
  was_dispatched: boolean;
  has_customer: boolean;
  principal: Buffer;
}

/** Takes up to `limit` due calls and reschedules them, in case this process gets no answer. */
export async function takeUnknownCosts(db: Queryable, limit: number): Promise<UnknownCost[]> {
  const result = await db.query<Row>({
    name: 'run_unknown_costs.take',
    text: `
      WITH due AS (
        SELECT request_id FROM run_unknown_costs WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      UPDATE run_unknown_costs u
      SET tries = tries + 1, due_at = now() + least(3600, 0.25 * 2 ^ least(tries + 1, 14)) * interval '1 s'
      FROM due, runs, run_steps s
      WHERE u.request_id = due.request_id AND runs.run_id = u.run_id AND s.run_id = u.run_id
        AND s.node_id = u.node_id AND s.step = u.step AND s.attempt = u.attempt
      RETURNING u.request_id, u.run_id, u.node_id, u.step, u.attempt, u.tries,
                s.dispatched_at IS NOT NULL AS was_dispatched,
                runs.customer_id IS NOT NULL AS has_customer, runs.principal`,
    values: [limit],
  });
  return result.rows.map((row) => ({
    holdId: row.request_id,
    runId: row.run_id,
    nodeId: row.node_id,
    step: row.step,
    attempt: row.attempt,
    tries: row.tries,
    wasDispatched: row.was_dispatched,
    hasCustomer: row.has_customer,
    principal: row.principal,
  }));
}

export async function forgetUnknownCosts(db: Queryable, holdIds: readonly string[]): Promise<void> {
  await db.query('DELETE FROM run_unknown_costs WHERE request_id = ANY($1::uuid[])', [holdIds]);
}

/**
 * Stores the cost that the ledger reports for a call; its answer stays unknown. `cost` is undefined when nothing was
 * served. Keeps a cost that the call's own process has stored.
 */
export async function storeKnownCost(
  db: Queryable,
  step: Pick<UnknownCost, 'runId' | 'nodeId' | 'step' | 'attempt'>,
  cost: { microcents: bigint; inputTokens: bigint; outputTokens: bigint } | undefined,
): Promise<void> {
  await db.query({
    name: 'run_steps.known_cost',
    text: `UPDATE run_steps
           SET status = CASE WHEN dispatched_at IS NULL THEN 'dropped' ELSE 'failed' END,
               ended_at = coalesce(ended_at, clock_timestamp()), cost_microcents = $5, input_tokens = $6,
               output_tokens = $7
           WHERE run_id = $1 AND node_id = $2 AND step = $3 AND attempt = $4 AND status <> 'settled'`,
    values: [
      step.runId,
      step.nodeId,
      step.step,
      step.attempt,
      cost?.microcents ?? null,
      cost?.inputTokens ?? null,
      cost?.outputTokens ?? null,
    ],
  });
}
