import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../../context.js';
import { findOrder, listTopUps, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { toPage } from '../../reports/page.js';

export async function listAccountTopUps(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  req: { limit: number; offset: number },
): Promise<{ topUps: PaymentOrder[]; hasMore: boolean }> {
  const { take, skip } = toPage(req);
  const rows = await listTopUps(ctx.pool, principal.accountId, { take: take + 1, skip });
  return { topUps: rows.slice(0, take), hasMore: rows.length > take };
}

export async function getAccountTopUp(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  id: string,
): Promise<PaymentOrder> {
  const order = isLowerCaseUuid(id) ? await findOrder(ctx.pool, id) : undefined;
  const isTheirs = order?.account_id === principal.accountId;
  if (!order || !isTheirs || (order.kind !== 'account_topup' && order.kind !== 'auto_topup'))
    throw new AppError('NOT_FOUND', 'top-up not found');
  return order;
}
