import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Queryable } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../../context.js';
import { refundableCents } from '../../../domain/wallet-split.js';
import { findAccount, lockAccounts } from '../../../store/accounts.js';
import { findCustomerById } from '../../../store/customers/customer-records.js';
import { findListedPayment, type ListedPayment, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { listRefunds, type PaymentRefund, pendingRefunds } from '../../../store/payments/payment-refunds.js';
import { readOrigins } from '../../credit/read-origins.js';

const KINDS = new Set<string>([
  ...['wallet_topup', 'subscription', 'tier_change'],
  ...['renewal', 'invoice', 'refund', 'dispute'],
]);

export interface PaymentDetail {
  payment: ListedPayment;
  refundableCents: bigint;
  refunds: PaymentRefund[];
}

/** Returns a payment of the principal's project with its refunds. @throws AppError NOT_FOUND */
export async function readPayment(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  id: string,
): Promise<PaymentDetail> {
  const payment = await requirePayment(ctx, principal, id);
  const exists =
    payment.customer_id !== null &&
    (await findCustomerById(ctx.pool, principal.projectId, payment.customer_id)) !== undefined;
  const { cents } = exists ? await readRefundable(ctx.pool, payment, 'no lock') : { cents: 0n };
  return { payment, refundableCents: cents, refunds: await listRefunds(ctx.pool, payment.id) };
}

export async function requirePayment(
  ctx: Pick<Context, 'pool'>,
  { projectId }: Principal,
  id: string,
): Promise<ListedPayment> {
  const order = isUuid(id) ? await findListedPayment(ctx.pool, id) : undefined;
  if (!order || order.project_id !== projectId || !KINDS.has(order.kind))
    throw new AppError('NOT_FOUND', 'payment not found');
  return order;
}

/**
 * Returns what can be refunded of an order, and its wallet; 0 if it cannot be refunded at all. A caller that moves money
 * has locked the customer and the order, and locks the wallet.
 */
export async function readRefundable(
  db: Queryable,
  order: PaymentOrder | ListedPayment,
  lock: 'lock' | 'no lock',
): Promise<{ cents: bigint; walletId?: bigint }> {
  const { kind, status, amount_cents: paidCents, payment_intent_id: payment, customer_id: customerId } = order;
  if (kind !== 'wallet_topup' || status !== 'completed' || !payment || !customerId || paidCents === null)
    return { cents: 0n };
  const found = await findAccount(db, { kind: 'wallet', refId: customerId });
  if (!found) return { cents: 0n };
  const wallet = lock === 'lock' ? (await lockAccounts(db, [found.id])).get(found.id)! : found;
  const pending = await pendingRefunds(db, order.id, wallet.id);
  const { reversed_cents: reversedCents } = order;
  const origins = await readOrigins(db, wallet, pending.ofWallet);
  return {
    cents: refundableCents({ paidCents, reversedCents, refundingCents: pending.ofOrder }, origins),
    walletId: wallet.id,
  };
}
