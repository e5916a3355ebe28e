import type { Queryable, Tx } from '@tollgate/postgres';
import type { RunDraft } from '../../domain/run/run-draft.js';
import type { StepRef } from '../../domain/step/model-step.js';
import * as sql from '../gen/queues/unknown-costs.js';

/** Delay of the first question. The ledger settles a call shortly after it was cut off. */
const FIRST_DELAY_MS = 250;

/**
 * Records the model calls that end in this transition without a known cost: the ledger will know the cost of those that
 * were sent, and the hold of the others must be released. Excludes calls that have a successor: those are lost
 * attempts, which are charged to the owner.
 */
export async function recordUnknownCosts(tx: Tx, draft: RunDraft): Promise<void> {
  const isOver = draft.status === 'failed' || draft.status === 'canceled';
  const { runId, toDrop: nodeIds } = draft;
  await sql.recordUnknownCosts(tx, { runId, isOver, nodeIds, delayMs: FIRST_DELAY_MS });
}

/** Records one call that will never be sent. */
export async function recordUnusedHold(tx: Tx, { ref, holdId }: { ref: StepRef; holdId: string }): Promise<void> {
  await sql.recordUnusedHold(tx, { ...ref, holdId });
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

/** Takes up to `limit` due calls and reschedules them, in case this process gets no answer. */
export async function takeUnknownCosts(db: Queryable, limit: number): Promise<UnknownCost[]> {
  return sql.takeUnknownCosts(db, { limit });
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
  const { microcents = null, inputTokens = null, outputTokens = null } = cost ?? {};
  await sql.storeKnownCost(db, { ...step, microcents, inputTokens, outputTokens });
}
