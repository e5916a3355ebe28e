import type { StartCardVerificationRequest } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { ask } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { type CardVerificationRow, findCardVerification } from '../../../store/payments/card-verifications.js';
import { findOrderBy } from '../../../store/payments/payment-orders.js';
import { checkReturnUrls } from '../checkouts/create-checkout.js';
import { CURRENCY } from '../checkouts/create-top-up.js';
import { ensureProcessorCustomer } from '../ensure-processor-customer.js';
import { type OpenSession, openSession } from '../orders/open-order.js';
import { orderMetadata } from '../orders/order-metadata.js';
import { requireProcessor } from '../payment-context.js';
import { settleVerification } from '../webhook-events/settle-verification.js';

/** Creates a checkout session that verifies the owner's card. */
export async function startCardVerification(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'processor'>,
  principal: Principal,
  req: StartCardVerificationRequest,
): Promise<OpenSession> {
  checkReturnUrls(req);
  const { accountId } = principal;
  if (await findCardVerification(ctx.pool, accountId))
    throw new AppError('CONFLICT', 'the account is already verified');
  const payer = await ensureProcessorCustomer(ctx, 'account', accountId);
  return openSession(ctx, { kind: 'card_verification', accountId }, (orderId) => ({
    mode: 'setup',
    currency: CURRENCY,
    customer: payer,
    success_url: req.successUrl,
    cancel_url: req.cancelUrl,
    client_reference_id: orderId,
    metadata: orderMetadata(orderId),
    setup_intent_data: { metadata: orderMetadata(orderId) },
  }));
}

/** Returns undefined if the account is not verified. */
export function getCardVerification(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
): Promise<CardVerificationRow | undefined> {
  return findCardVerification(ctx.pool, principal.accountId);
}

export async function confirmCardVerification(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'processor'>,
  principal: Principal,
  sessionId: string,
): Promise<CardVerificationRow> {
  const order = await findOrderBy(ctx.pool, 'session_id', sessionId);
  if (order?.account_id !== principal.accountId || order.kind !== 'card_verification')
    throw new AppError('NOT_FOUND', 'card verification not found');
  const { stripe } = requireProcessor(ctx);
  const session = await ask(stripe.checkout.sessions.retrieve(sessionId, { expand: ['setup_intent.payment_method'] }));
  if (session.status !== 'complete') throw new AppError('CONFLICT', 'the card verification checkout is not finished');
  const result = await settleVerification(ctx, order, session);
  if (result.kind === 'refused') throw new AppError('INVALID_INPUT', result.reason, { status: 422 });
  return result.row;
}
