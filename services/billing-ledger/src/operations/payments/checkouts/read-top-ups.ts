import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { findOrder, listTopUps, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { toPage } from '../../reports/page.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
  const order = UUID.test(id) ? await findOrder(ctx.pool, id) : undefined;
  const isTheirs = order?.account_id === principal.accountId;
  if (!order || !isTheirs || (order.kind !== 'account_topup' && order.kind !== 'auto_topup'))
    throw new AppError('NOT_FOUND', 'top-up not found');
  return order;
}
