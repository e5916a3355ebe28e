import type { Queryable, Tx } from '@tollgate/postgres';
import type { Prices } from '../domain/cost.js';
import type { StepRef } from '../domain/model-step.js';
import type { JournalEntry, StepStatus } from '../domain/next-attempt.js';

/** A journal entry with what the next step of the conversation needs. */
export interface JournalRow extends JournalEntry {
  llmResponse: string | null;
  toolResults: string | null;
}

interface StepRow {
  step: number;
  attempt: number;
  request_id: string;
  status: StepStatus;
  age_ms: number;
  llm_response: string | null;
  tool_results: string | null;
}

/** The journal of a node, in order. */
export async function loadJournal(tx: Tx, runId: string, nodeId: string): Promise<JournalRow[]> {
  const result = await tx.query<StepRow>({
    name: 'run_steps.load',
    text: `SELECT step, attempt, request_id, status, llm_response, tool_results,
                  (extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8 AS age_ms
           FROM run_steps WHERE run_id = $1 AND node_id = $2 ORDER BY step, attempt`,
    values: [runId, nodeId],
  });
  return result.rows.map((row) => ({
    step: row.step,
    attempt: row.attempt,
    requestId: row.request_id,
    status: row.status,
    ageMs: row.age_ms,
    hasToolResults: row.tool_results !== null,
    llmResponse: row.llm_response,
    toolResults: row.tool_results,
  }));
}

/** Written before anything is held or sent. */
export async function insertIntent(tx: Tx, step: StepRef & { requestId: string; at: Date }): Promise<void> {
  await tx.query({
    name: 'run_steps.intent',
    text: `INSERT INTO run_steps (run_id, node_id, step, attempt, request_id, status, created_at)
           VALUES ($1, $2, $3, $4, $5, 'intent', $6)`,
    values: [step.runId, step.nodeId, step.step, step.attempt, step.requestId, step.at],
  });
}

export interface Dispatch {
  modelId: string;
  prices: Prices;
  heldMicrocents: bigint;
  /** The body that is about to be sent. */
  llmRequest: string;
}

/**
 * Committed before the first byte goes out. False when the work is ours no more: then nothing may be sent. The share
 * lock on the work row keeps a successor from taking over between the check and the commit.
 */
export async function markDispatched(
  db: Queryable,
  step: StepRef,
  fence: { workId: bigint; epoch: number },
  dispatch: Dispatch,
): Promise<boolean> {
  const { modelId, prices, heldMicrocents, llmRequest } = dispatch;
  const result = await db.query({
    name: 'run_steps.dispatched',
    text: `
      WITH held AS (SELECT 1 FROM run_work WHERE work_id = $5 AND lease_epoch = $6 AND run_id = $1 FOR SHARE)
      UPDATE run_steps
      SET status = 'dispatched', dispatched_at = clock_timestamp(), model_id = $7,
          input_price_per_million_cents = $8, output_price_per_million_cents = $9, price_per_image_cents = $10,
          held_microcents = $11, llm_request = $12
      WHERE run_id = $1 AND node_id = $2 AND step = $3 AND attempt = $4 AND status = 'intent'
        AND EXISTS (SELECT FROM held)`,
    values: [
      step.runId,
      step.nodeId,
      step.step,
      step.attempt,
      fence.workId,
      fence.epoch,
      modelId,
      prices.inputPerMillionCents,
      prices.outputPerMillionCents,
      prices.perImageCents,
      heldMicrocents,
      llmRequest,
    ],
  });
  return result.rowCount === 1;
}

export interface StepEnd {
  status: Exclude<StepStatus, 'intent' | 'dispatched'>;
  at: Date;
  provider?: string | undefined;
  costMicrocents?: bigint | undefined;
  inputTokens?: bigint | undefined;
  outputTokens?: bigint | undefined;
  llmResponse?: string | undefined;
  errorCode?: string | undefined;
}

export async function endStep(tx: Tx, step: StepRef, end: StepEnd): Promise<void> {
  await tx.query({
    name: 'run_steps.end',
    text: `UPDATE run_steps
           SET status = $5, ended_at = $6, provider = $7, cost_microcents = $8, input_tokens = $9, output_tokens = $10,
               llm_response = $11, error_code = $12
           WHERE run_id = $1 AND node_id = $2 AND step = $3 AND attempt = $4`,
    values: [
      step.runId,
      step.nodeId,
      step.step,
      step.attempt,
      end.status,
      end.at,
      end.provider ?? null,
      end.costMicrocents ?? null,
      end.inputTokens ?? null,
      end.outputTokens ?? null,
      end.llmResponse ?? null,
      end.errorCode ?? null,
    ],
  });
}

export async function storeToolResults(tx: Tx, step: StepRef, results: string): Promise<void> {
  await tx.query({
    name: 'run_steps.tool_results',
    text: `UPDATE run_steps SET tool_results = $5 WHERE run_id = $1 AND node_id = $2 AND step = $3 AND attempt = $4`,
    values: [step.runId, step.nodeId, step.step, step.attempt, results],
  });
}

/**
 * What a call turned out to cost after its run had ended without it: a fact for the cost summary, nothing else changes.
 * While the run goes on, the attempt has a successor and stays what it is.
 */
export async function recordLateUsage(
  db: Queryable,
  step: StepRef,
  end: Pick<StepEnd, 'provider' | 'costMicrocents' | 'inputTokens' | 'outputTokens' | 'llmResponse' | 'errorCode'>,
): Promise<void> {
  await db.query({
    name: 'run_steps.late_usage',
    text: `UPDATE run_steps
           SET status = 'settled', ended_at = clock_timestamp(), provider = $5, cost_microcents = $6,
               input_tokens = $7, output_tokens = $8, llm_response = $9, error_code = $10
           WHERE run_id = $1 AND node_id = $2 AND step = $3 AND attempt = $4 AND status = 'dispatched'
             AND EXISTS (SELECT FROM runs WHERE run_id = $1 AND ended_at IS NOT NULL)`,
    values: [
      step.runId,
      step.nodeId,
      step.step,
      step.attempt,
      end.provider ?? null,
      end.costMicrocents ?? null,
      end.inputTokens ?? null,
      end.outputTokens ?? null,
      end.llmResponse ?? null,
      end.errorCode ?? null,
    ],
  });
}
