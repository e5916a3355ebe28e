import type { Queryable } from '@tollgate/postgres';
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
    `UPDATE holds SET state = $2, settled_at = now(), input_tokens = $3, output_tokens = $4, images = $5, tool_fee_tokens = $10, fee_microcents = $11,
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
      s.used.toolFeeTokens ?? 0n,
      s.used.feeMicrocents ?? 0n,
    ],
  );
}

/** Removes the customer's charge from the hold. */
export async function waiveCustomer(tx: Queryable, holdId: string): Promise<void> {
  await tx.query('UPDATE holds SET customer_microcents = 0 WHERE request_id = $1', [holdId]);
}
