// Generated from queues/unknown-costs.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface RecordUnknownCostsInput {
  delayMs: number;
  runId: string;
  isOver: boolean;
  nodeIds: readonly (string | null)[];
}

const RECORD_UNKNOWN_COSTS = `
  INSERT INTO run_unknown_costs (request_id, run_id, node_id, step, attempt, due_at)
  SELECT s.request_id, s.run_id, s.node_id, s.step, s.attempt, now() + $1 * interval '1 ms'
  FROM run_steps s
  WHERE s.run_id = $2 AND s.cost_microcents IS NULL
    AND (s.status IN ('intent', 'dispatched', 'ambiguous') OR (s.status = 'failed' AND s.dispatched_at IS NOT NULL))
    AND ($3 OR s.node_id = ANY ($4::text[]))
    AND NOT EXISTS (
      SELECT FROM run_steps later
      WHERE later.run_id = s.run_id AND later.node_id = s.node_id AND later.step = s.step AND later.attempt > s.attempt)
  ON CONFLICT DO NOTHING`;

/**
 * Records the calls of a run, or of some of its nodes, whose cost is not known: those that were sent, and those whose hold must be
 * released. Excludes calls that have a successor.
 */
export async function recordUnknownCosts(db: Queryable, input: RecordUnknownCostsInput): Promise<void> {
  await db.query({
    name: 'record_unknown_costs',
    text: RECORD_UNKNOWN_COSTS,
    values: [
      input.delayMs,
      input.runId,
      input.isOver,
      input.nodeIds,
    ],
  });
}

export interface RecordUnusedHoldInput {
  holdId: string;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
}

const RECORD_UNUSED_HOLD = `
  INSERT INTO run_unknown_costs (request_id, run_id, node_id, step, attempt, due_at)
  VALUES ($1, $2, $3, $4, $5, date_trunc('milliseconds', now()))
  ON CONFLICT DO NOTHING`;

/** Records one call that will never be sent. */
export async function recordUnusedHold(db: Queryable, input: RecordUnusedHoldInput): Promise<void> {
  await db.query({
    name: 'record_unused_hold',
    text: RECORD_UNUSED_HOLD,
    values: [
      input.holdId,
      input.runId,
      input.nodeId,
      input.step,
      input.attempt,
    ],
  });
}

export interface TakeUnknownCostsInput {
  limit: bigint | number;
}

export interface TakeUnknownCostsRow {
  holdId: string;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
  tries: number;
  wasDispatched: boolean;
  hasCustomer: boolean;
  principal: Buffer;
}

const TAKE_UNKNOWN_COSTS = `
  WITH due AS (
    SELECT request_id FROM run_unknown_costs WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE run_unknown_costs u
  SET tries = tries + 1, due_at = now() + least(3600, 0.25 * 2 ^ least(tries + 1, 14)) * interval '1 s'
  FROM due, runs, run_steps s
  WHERE u.request_id = due.request_id AND runs.run_id = u.run_id AND s.run_id = u.run_id
    AND s.node_id = u.node_id AND s.step = u.step AND s.attempt = u.attempt
  RETURNING u.request_id AS "holdId", u.run_id AS "runId", u.node_id AS "nodeId", u.step, u.attempt, u.tries,
    s.dispatched_at IS NOT NULL AS "wasDispatched", runs.customer_id IS NOT NULL AS "hasCustomer", runs.principal`;

/** Takes due calls and reschedules them, in case this process gets no answer. */
export async function takeUnknownCosts(db: Queryable, input: TakeUnknownCostsInput): Promise<TakeUnknownCostsRow[]> {
  const { rows } = await db.query<TakeUnknownCostsRow>({
    name: 'take_unknown_costs',
    text: TAKE_UNKNOWN_COSTS,
    values: [
      input.limit,
    ],
  });
  return rows;
}

export interface StoreKnownCostInput {
  microcents: bigint | number | null;
  inputTokens: bigint | number | null;
  outputTokens: bigint | number | null;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
}

const STORE_KNOWN_COST = `
  UPDATE run_steps
  SET status = CASE WHEN dispatched_at IS NULL THEN 'dropped' ELSE 'failed' END,
    ended_at = coalesce(ended_at, clock_timestamp()), cost_microcents = $1, input_tokens = $2,
    output_tokens = $3
  WHERE run_id = $4 AND node_id = $5 AND step = $6 AND attempt = $7 AND status <> 'settled'`;

/** Stores the cost that the ledger reports for a call. Keeps a cost that the call's own process has stored. */
export async function storeKnownCost(db: Queryable, input: StoreKnownCostInput): Promise<void> {
  await db.query({
    name: 'store_known_cost',
    text: STORE_KNOWN_COST,
    values: [
      input.microcents,
      input.inputTokens,
      input.outputTokens,
      input.runId,
      input.nodeId,
      input.step,
      input.attempt,
    ],
  });
}
