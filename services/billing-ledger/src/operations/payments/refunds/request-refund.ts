import { randomUUID } from 'node:crypto';
import type { RefundPaymentRequest } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { centsToMicrocents } from '@tollgate/money';
import { type Tx, withTransaction } from '@tollgate/postgres';
import { changeHeld } from '../../../store/accounts.js';
import { keepCustomer } from '../../../store/customers/customers.js';
import { lockOrder, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import {
  findRefund,
  findRefundByCause,
  insertRefund,
  type PaymentRefund,
} from '../../../store/payments/payment-refunds.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { readRefundable, requirePayment } from './read-payment.js';
import { sendRefund } from './send-refund.js';

/** How long to wait for the response to the call before the worker looks for its outcome. */
const CHECK_CALL_MS = 120_000;

interface RequestedRefund {
  refund: PaymentRefund;
  order: PaymentOrder;
  applied: boolean;
}

/**
 * Refunds a top-up to its card. Reserves the money in the wallet first, so that it can neither be spent nor refunded
 * twice while the processor is called. Repeating the same cause returns the first refund. A refund whose outcome is
 * unknown stays pending, and a worker resolves it.
 *
 * @throws AppError NOT_FOUND, CONFLICT beyond what is left, SERVICE_UNAVAILABLE without a processor
 */
export async function requestRefund(
  ctx: PaymentContext,
  principal: Principal,
  req: RefundPaymentRequest,
): Promise<RequestedRefund> {
  requireProcessor(ctx);
  if (!req.cause) throw new AppError('INVALID_INPUT', 'a cause is required');
  if (req.amountCents !== undefined && req.amountCents <= 0n)
    throw new AppError('INVALID_INPUT', 'the amount must be positive');
  const { id, customer_id: customerId } = await requirePayment(ctx, principal, req.paymentId);
  const requested = await withTransaction(ctx.pool, async (tx) => {
    // Locked before the order, as everywhere.
    const exists = customerId !== null && (await keepCustomer(tx, customerId));
    return reserve(tx, ctx.clock.nowMs(), { id, exists }, req);
  });
  const { refund, order, applied } = requested;
  if (refund.status !== 'pending') return requested;
  if (applied)
    ctx.logger.info(
      { ...toFields(order), refund: refund.id, amount_cents: Number(refund.amount_cents) },
      'refund requested',
    );
  await sendRefund(ctx, order, refund, { mayExist: !applied });
  return { ...requested, refund: (await findRefund(ctx.pool, refund.id)) ?? refund };
}

async function reserve(
  tx: Tx,
  nowMs: number,
  { id: orderId, exists }: { id: string; exists: boolean },
  { amountCents, cause }: RefundPaymentRequest,
): Promise<RequestedRefund> {
  const order = (await lockOrder(tx, orderId)) as PaymentOrder;
  const earlier = await findRefundByCause(tx, orderId, cause);
  if (earlier) {
    if (amountCents !== undefined && amountCents !== earlier.amount_cents)
      throw new AppError(
        'CONFLICT',
        `this key was used for a refund of ${earlier.amount_cents} cents; use another key`,
      );
    return { refund: earlier, order, applied: false };
  }
  if (order.kind !== 'wallet_topup')
    throw new AppError(
      'CONFLICT',
      'only top-ups of a wallet can be refunded here; refund a subscription at the card processor',
    );
  const { cents, walletId } = exists ? await readRefundable(tx, order, 'lock') : { cents: 0n };
  const amount = amountCents ?? cents;
  if (cents === 0n || walletId === undefined)
    throw new AppError(
      'CONFLICT',
      'nothing can be refunded: the payment was not received, was returned, or was spent, or its customer was deleted',
    );
  if (amount > cents)
    throw new AppError('CONFLICT', `at most ${cents} cents can be refunded: the rest was returned or spent`);
  const createdAt = new Date(nowMs);
  const refund = await insertRefund(tx, {
    id: randomUUID(),
    orderId,
    accountId: walletId,
    ownerAccountId: order.account_id,
    cause,
    amountCents: amount,
    createdAt,
    checkAt: new Date(nowMs + CHECK_CALL_MS),
  });
  await changeHeld(tx, walletId, centsToMicrocents(amount));
  return { refund, order, applied: true };
}

function toFields({ id, account_id, project_id, customer_id }: PaymentOrder): Record<string, unknown> {
  return { order: id, account_id, project_id, customer_id };
}
