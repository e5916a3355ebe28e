import { AppError } from '@tollgate/errors';
import { appendEvents } from '@tollgate/events';
import { type Tx, withTransaction } from '@tollgate/postgres';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { applicableLimits, HOLD_STATES, type Hold, holdFromRow } from '../../domain/hold.js';
import type { Settlement } from '../../domain/settle-hold.js';
import { isCustomerRole } from '../../domain/subject.js';
import { lockAccounts } from '../../store/accounts.js';
import { lockHold, waiveCustomer } from '../../store/holds/late-settlements.js';
import {
  findHolds,
  findParts,
  forgetLegs,
  type HoldOwner,
  type HoldRow,
  insertTombstone,
  joinWhole,
  markSuperseded,
  releaseLegs,
} from '../../store/holds/open-holds.js';
import { addToRollup } from '../../store/holds/settle-and-hold.js';
import { customerCharges, insertTransfer } from '../../store/transfers.js';
import { correctionEvent } from './settle-item.js';

/** Maximum ids per call; equals the maximum of items per batch request. */
const IDS_MAX = 1_000;

/** Supersedes holds and their parts. @throws AppError INVALID_INPUT for ids that are not UUIDs and for too many ids */
export async function supersedeHolds(
  ctx: Pick<Context, 'logger' | 'openHolds' | 'pool' | 'relay'>,
  holdIds: readonly string[],
  owner: HoldOwner,
): Promise<void> {
  if (holdIds.length > IDS_MAX) throw new AppError('INVALID_INPUT', `at most ${IDS_MAX} hold_ids are allowed`);
  if (!holdIds.every((id) => isLowerCaseUuid(id)))
    throw new AppError('INVALID_INPUT', 'hold_ids must be lower-case UUIDs');
  for (const holdId of holdIds) {
    await supersedeHold(ctx, holdId, owner);
    for (const partId of await findParts(ctx.pool, holdId)) await supersedeHold(ctx, partId, owner);
  }
}

/** Records a hold as part of another before it is admitted, so that it is superseded together with the whole. */
export async function joinWholeHold(
  ctx: Pick<Context, 'logger' | 'openHolds' | 'pool' | 'relay'>,
  wholeId: string,
  partId: string,
  owner: HoldOwner,
): Promise<void> {
  if (!isLowerCaseUuid(wholeId)) throw new AppError('INVALID_INPUT', 'part_of_hold_id must be a lower-case UUID');
  if (await joinWhole(ctx.pool, wholeId, partId)) await supersedeHold(ctx, partId, owner);
}

/**
 * Supersedes an attempt whose outcome its caller does not know: its customer pays for the next attempt only. Releases the
 * customer's held funds and returns what was charged; the owner pays for anything the attempt served or still reports.
 * An attempt that has not reached the ledger yet is not admitted later. A hold of another account is treated as unknown.
 * Idempotent.
 */
async function supersedeHold(
  ctx: Pick<Context, 'logger' | 'openHolds' | 'pool' | 'relay'>,
  holdId: string,
  owner: HoldOwner,
): Promise<void> {
  const [known] = await findHolds(ctx.pool, [holdId]);
  if (!known && (await insertTombstone(ctx.pool, holdId, owner))) return;
  // The insertion waits for a concurrent admission, which is committed by now.
  const [seen] = known ? [known] : await findHolds(ctx.pool, [holdId]);
  if (!seen) throw new Error(`hold ${holdId} disappeared`);
  if (seen.owner_account_id !== owner.accountId) {
    ctx.logger.warn({ hold_id: holdId, owner_account_id: owner.accountId }, 'hold of another account not superseded');
    return;
  }
  await withTransaction(ctx.pool, async (tx) => {
    const before = holdFromRow(seen);
    await lockAccounts(tx, Object.values(applicableLimits(before)));
    const row = await lockHold(tx, holdId);
    const hold = holdFromRow(row);
    if (row.state === HOLD_STATES.open) await releaseLegs(tx, hold, isCustomerRole);
    else if ((row.customer_microcents ?? 0n) > 0n) await returnCharges(tx, hold, row);
    // An expired hold may still get a late report, which must not charge the customer.
    if (row.state === HOLD_STATES.expired) await forgetLegs(tx, hold, isCustomerRole);
    await markSuperseded(tx, holdId);
  });
  ctx.openHolds.take(holdId);
  ctx.relay.wake();
}

async function returnCharges(tx: Tx, hold: Hold, row: HoldRow): Promise<void> {
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
  await addToRollup(tx, hold, { ...nothing, customerMicrocents: -(row.customer_microcents ?? 0n) }, 0n);
  const settled: Settlement = {
    ...nothing,
    used: {
      inputTokens: row.input_tokens ?? 0n,
      outputTokens: row.output_tokens ?? 0n,
      images: BigInt(row.images ?? 0),
      toolFeeTokens: row.tool_fee_tokens ?? 0n,
    },
    ownerMicrocents: row.owner_microcents ?? 0n,
    overrunMicrocents: row.overrun_microcents ?? 0n,
    unreconciledMicrocents: row.unreconciled_microcents ?? 0n,
  };
  await appendEvents(tx, [correctionEvent(hold, settled, { usage: undefined, facts: undefined })]);
}
