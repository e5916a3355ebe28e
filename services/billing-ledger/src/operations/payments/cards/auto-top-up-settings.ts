import type { SetAutoTopUpRequest } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { askForMaybe } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { autoTopUpFault } from '../../../domain/payments/auto-top-up.js';
import {
  type AutoTopUpRow,
  deleteAutoTopUp as deleteRow,
  findAutoTopUp,
  setAutoTopUp as setRow,
} from '../../../store/payments/auto-topups.js';
import { requireProcessor } from '../payment-context.js';

/** Returns undefined if automatic top-ups were never set up. */
export function getAutoTopUp(ctx: Pick<Context, 'pool'>, principal: Principal): Promise<AutoTopUpRow | undefined> {
  return findAutoTopUp(ctx.pool, principal.accountId);
}

export async function setAutoTopUp(
  ctx: Pick<Context, 'autoTopUps' | 'config' | 'pool'>,
  principal: Principal,
  req: SetAutoTopUpRequest,
): Promise<AutoTopUpRow | undefined> {
  const fault = autoTopUpFault(req, ctx.config.topUps);
  if (fault) throw new AppError('VALIDATION_ERROR', `${fault.field} ${fault.message}`, { fields: [fault] });
  if (!(await setRow(ctx.pool, principal.accountId, req)))
    throw new AppError('CONFLICT', 'automatic top-ups require a card: set one up first');
  ctx.autoTopUps.wake();
  return findAutoTopUp(ctx.pool, principal.accountId);
}

/** Detaches the card first: if the rest fails, nothing can be charged before the owner retries. */
export async function deleteAutoTopUp(ctx: Pick<Context, 'pool' | 'processor'>, principal: Principal): Promise<void> {
  const row = await findAutoTopUp(ctx.pool, principal.accountId);
  if (row?.card_id) await askForMaybe(requireProcessor(ctx).stripe.paymentMethods.detach(row.card_id));
  await deleteRow(ctx.pool, principal.accountId);
}
