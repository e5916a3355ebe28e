// Compares what customers paid for the steps of runs with what the runs show.
import { expect } from '@jest/globals';
import { type Json, waitUntil } from '@tollgate/testkit';
import { must, type System } from '../system/start-system.js';
import type { ChaosHarness } from './harness.js';

interface StepRow {
  run_id: string;
  what: string;
  status: string;
  cost: string | null;
  paid: string | null;
}

/** After a fault the edge may have no engine for a moment; its answer is then retryable. */
export function readSnapshot({ api }: ChaosHarness['wallet'], runId: string): Promise<Json> {
  return waitUntil(
    async () => {
      const answer = await api.get(`/runs/${runId}`);
      return answer.body?.retryable ? undefined : must(answer, 200);
    },
    { what: 'an engine to answer' },
  );
}

/**
 * For succeeded runs of the harness's wallet customer: the customer pays what the settled steps cost, each of which was
 * settled once, and nothing for lost attempts. Returns all attempts.
 */
export async function expectRunsPaidOnce(system: System, { wallet }: ChaosHarness, runIds: readonly string[]) {
  const steps = await system.query<StepRow>(
    `SELECT s.run_id, concat_ws(' ', s.run_id, s.node_id, s.step) AS what, s.status, s.cost_microcents AS cost,
       h.customer_microcents AS paid
     FROM workflow_engine.run_steps s LEFT JOIN billing_ledger.holds h ON h.request_id = s.request_id
     WHERE s.run_id = ANY ($1)`,
    [runIds],
  );
  const settled = steps.filter(({ status }) => status === 'settled');
  expect(new Set(settled.map(({ what }) => what)).size).toBe(settled.length);
  expect(settled.filter(({ cost, paid }) => cost === null || cost !== paid)).toEqual([]);
  expect(steps.filter(({ status, paid }) => status !== 'settled' && Number(paid ?? 0) > 0)).toEqual([]);
  const sum = (rows: readonly StepRow[]) => rows.reduce((total, { cost }) => total + Number(cost), 0);
  for (const runId of runIds) {
    const { cost_summary: summary } = await readSnapshot(wallet, runId);
    expect(Math.round(summary.total_usd_cents * 1_000_000)).toBe(sum(settled.filter((it) => it.run_id === runId)));
  }
  const [charged] = await system.query<{ microcents: string }>(
    'SELECT coalesce(sum(customer_microcents), 0)::text AS microcents FROM billing_ledger.holds WHERE customer_id = $1',
    [wallet.id],
  );
  expect(Number(charged?.microcents)).toBe(sum(settled));
  return steps;
}
