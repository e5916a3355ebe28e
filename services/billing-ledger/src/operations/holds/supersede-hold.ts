import { AppError } from '@tollgate/errors';
import { appendEvents } from '@tollgate/events';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { HOLD_STATES, type Hold, holdFromRow, limitsOf } from '../../domain/hold.js';
import type { Settlement } from '../../domain/settle-hold.js';
import { isCustomers } from '../../domain/subject.js';
import { lockAccounts } from '../../store/accounts.js';
import { findParts, joinWhole, markSuperseded } from '../../store/holds/hold-parts.js';
import { addToRollup, lockHold, waiveCustomer } from '../../store/holds/late-settlements.js';
import {
  findHolds,
  forgetLegs,
  type HoldOwner,
  type HoldRow,
  insertTombstone,
  releaseLegs,
} from '../../store/holds/open-holds.js';
import { customerCharges, insertTransfer } from '../../store/transfers.js';
import { correctionEvent } from './settlement-events.js';

/** As many as a batch has items. */
const IDS_MAX = 1_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** @throws AppError INVALID_INPUT for ids that are not UUIDs, or too many of them */
export async function supersedeHolds(ctx: Context, holdIds: readonly string[], owner: HoldOwner): Promise<void> {
  if (holdIds.length > IDS_MAX) throw new AppError('INVALID_INPUT', `at most ${IDS_MAX} hold_ids are allowed`);
  if (!holdIds.every((id) => UUID.test(id))) throw new AppError('INVALID_INPUT', 'hold_ids must be lower-case UUIDs');
  for (const holdId of holdIds) {
    await supersedeHold(ctx, holdId, owner);
    for (const partId of await findParts(ctx.pool, holdId)) await supersedeHold(ctx, partId, owner);
  }
}

/** Has a request share the fate of the one that it is part of, before it is admitted. */
export async function joinRequest(ctx: Context, wholeId: string, partId: string, owner: HoldOwner): Promise<void> {
  if (!UUID.test(wholeId)) throw new AppError('INVALID_INPUT', 'part_of_hold_id must be a lower-case UUID');
  if (await joinWhole(ctx.pool, wholeId, partId)) await supersedeHold(ctx, partId, owner);
}

/**
 * Takes an attempt whose outcome its caller does not know off its customer, who pays for the attempt that follows. Frees
 * what the lost attempt holds of the customer's funds and gives back what it charged; whatever it served, or still
 * reports, is the owner's. An attempt that was not seen yet is not admitted any more. Repeating it changes nothing.
 */
async function supersedeHold(ctx: Context, holdId: string, owner: HoldOwner): Promise<void> {
  const [known] = await findHolds(ctx.pool, [holdId]);
  if (!known && (await insertTombstone(ctx.pool, holdId, owner))) return;
  // The insertion has waited for an admission that was being written; it is committed by now.
  const [seen] = known ? [known] : await findHolds(ctx.pool, [holdId]);
  if (!seen) throw new Error(`hold ${holdId} vanished`);
  await withTransaction(ctx.pool, async (tx) => {
    const before = holdFromRow(seen);
    await lockAccounts(tx, Object.values(limitsOf(before)));
    const row = await lockHold(tx, holdId);
    const hold = holdFromRow(row);
    if (row.state === HOLD_STATES.open) await releaseLegs(tx, hold, isCustomers);
    else if ((row.customer_microcents ?? 0n) > 0n) await giveBack(tx, hold, row);
    // A verdict is not the last word: the attempt may still report.
    if (row.state === HOLD_STATES.expired) await forgetLegs(tx, hold, isCustomers);
    await markSuperseded(tx, holdId);
  });
  ctx.openHolds.take(holdId);
  ctx.relay.wake();
}

async function giveBack(tx: Tx, hold: Hold, row: HoldRow): Promise<void> {
  for (const charge of await customerCharges(tx, hold.holdId)) {
    const role = hold.legs.find((leg) => leg.account === charge.account)?.role ?? 'wallet';
    await insertTransfer(tx, {
      debit: COUNTER_ACCOUNTS.customerCharges,
      credit: charge.account,
      amountMicrocents: charge.amount,
      kind: `superseded_${role}`,
      cause: hold.holdId,
    });
  }
  await waiveCustomer(tx, hold.holdId);
  const nothing: Settlement = {
    state: row.state,
    used: { inputTokens: 0n, outputTokens: 0n, images: 0n },
    posted: [],
    transfers: [],
    customerMicrocents: 0n,
    customerOverrunMicrocents: 0n,
    ownerMicrocents: 0n,
    overrunMicrocents: 0n,
    unreconciledMicrocents: 0n,
  };
  await addToRollup(tx, hold, { ...nothing, customerMicrocents: -(row.customer_microcents ?? 0n) }, 0);
  const settled: Settlement = {
    ...nothing,
    used: {
      inputTokens: row.input_tokens ?? 0n,
      outputTokens: row.output_tokens ?? 0n,
      images: BigInt(row.images ?? 0),
    },
    ownerMicrocents: row.owner_microcents ?? 0n,
    overrunMicrocents: row.overrun_microcents ?? 0n,
    unreconciledMicrocents: row.unreconciled_microcents ?? 0n,
  };
  await appendEvents(tx, [correctionEvent(hold, settled, undefined, undefined)]);
}
