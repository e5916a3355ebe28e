import type { Queryable } from '@tollgate/postgres';
import type { Settlement } from '../../domain/settle-hold.js';
import * as sql from '../gen/holds/late-settlements.js';
import { type HoldRow, lockHolds } from './open-holds.js';

export async function lockHold(tx: Queryable, holdId: string): Promise<HoldRow> {
  const [row] = await lockHolds(tx, [holdId]);
  return row as HoldRow;
}

export async function correctHold(tx: Queryable, holdId: string, s: Settlement): Promise<void> {
  await sql.correctHold(tx, {
    holdId,
    state: s.state,
    inputTokens: s.used.inputTokens,
    outputTokens: s.used.outputTokens,
    images: Number(s.used.images),
    toolFeeTokens: s.used.toolFeeTokens ?? 0n,
    feeMicrocents: s.used.feeMicrocents ?? 0n,
    customerMicrocents: s.customerMicrocents,
    ownerMicrocents: s.ownerMicrocents,
    overrunMicrocents: s.overrunMicrocents,
    unreconciledMicrocents: s.unreconciledMicrocents,
  });
}

/** Removes the customer's charge from the hold. */
export async function waiveCustomer(tx: Queryable, holdId: string): Promise<void> {
  await tx.query('UPDATE holds SET customer_microcents = 0 WHERE request_id = $1', [holdId]);
}
