import type { Queryable } from '@tollgate/postgres';
import type { Hold } from '../../domain/hold.js';
import type { Settlement } from '../../domain/settle-hold.js';
import { HOLD_COLUMNS, type HoldRow } from './open-holds.js';

export async function lockHold(tx: Queryable, holdId: string): Promise<HoldRow> {
  const { rows } = await tx.query<HoldRow>(`SELECT ${HOLD_COLUMNS} FROM holds WHERE request_id = $1 FOR UPDATE`, [
    holdId,
  ]);
  return rows[0] as HoldRow;
}

export async function correctHold(tx: Queryable, holdId: string, s: Settlement): Promise<void> {
  await tx.query(
    `UPDATE holds SET state = $2, settled_at = now(), input_tokens = $3, output_tokens = $4, images = $5,
       customer_microcents = $6, owner_microcents = $7, overrun_microcents = $8, unreconciled_microcents = $9
     WHERE request_id = $1`,
    [
      holdId,
      s.state,
      s.used.inputTokens,
      s.used.outputTokens,
      Number(s.used.images),
      s.customerMicrocents,
      s.ownerMicrocents,
      s.overrunMicrocents,
      s.unreconciledMicrocents,
    ],
  );
}

/** Adds a correction to the roll-up of the day on which it became known. */
export async function addToRollup(tx: Queryable, hold: Hold, delta: Settlement, requests: number): Promise<void> {
  const none = '00000000-0000-0000-0000-000000000000';
  await tx.query(
    `INSERT INTO usage_rollups AS u (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
       input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
     VALUES ($1, $2, $3, $4, (now() AT TIME ZONE 'UTC')::date, $5, $6, $14, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id) DO UPDATE SET
       requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
       output_tokens = u.output_tokens + excluded.output_tokens, images = u.images + excluded.images,
       customer_microcents = u.customer_microcents + excluded.customer_microcents,
       provider_microcents = u.provider_microcents + excluded.provider_microcents,
       overrun_microcents = u.overrun_microcents + excluded.overrun_microcents,
       unreconciled_microcents = u.unreconciled_microcents + excluded.unreconciled_microcents`,
    [
      hold.ownerAccountId,
      hold.terms.projectId,
      hold.terms.customerId ?? none,
      new Date(hold.terms.windowStartMs),
      hold.terms.keyId ?? none,
      hold.terms.modelId,
      delta.used.inputTokens,
      delta.used.outputTokens,
      delta.used.images,
      delta.customerMicrocents,
      delta.ownerMicrocents,
      delta.overrunMicrocents,
      delta.unreconciledMicrocents,
      requests,
    ],
  );
}

export async function waiveCustomer(tx: Queryable, holdId: string): Promise<void> {
  await tx.query('UPDATE holds SET customer_microcents = 0 WHERE request_id = $1', [holdId]);
}
