import type {
  CreateAccountTopUpRequest,
  CreateWalletTopUpRequest,
} from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type Stripe from 'stripe';
import type { Context } from '../../../context.js';
import { amountFault } from '../../../domain/payments/auto-top-up.js';
import { findAccount } from '../../../store/accounts.js';
import type { CustomerRecord } from '../../../store/customers/customer-records.js';
import type { PaymentOrder } from '../../../store/payments/payment-orders.js';
import { findCustomer } from '../../customers/find-customer.js';
import { ensureProcessorCustomer } from '../ensure-processor-customer.js';
import { type OpenSession, openSession } from '../orders/open-order.js';
import { orderMetadata } from '../orders/order-metadata.js';
import type { PaymentContext } from '../payment-context.js';
import { checkReturnUrls } from './create-checkout.js';

/** Currency of all balances. Other currencies would need exchange rates. */
export const CURRENCY = 'usd';

export type TopUpRecord = Pick<
  PaymentOrder,
  | 'id'
  | 'kind'
  | 'status'
  | 'session_id'
  | 'session_url'
  | 'amount_cents'
  | 'currency'
  | 'reversed_cents'
  | 'created_at'
  | 'ended_at'
>;

/** Creates a checkout session that tops up a customer's wallet. The processor's webhook event credits the payment. */
export async function createWalletTopUp(
  ctx: PaymentContext,
  principal: Principal,
  req: CreateWalletTopUpRequest,
): Promise<TopUpRecord> {
  checkReturnUrls(req);
  checkAmount(ctx, 'credit_amount_cents', req.creditAmountCents);
  const customer = await findCustomer(ctx, principal.projectId, { case: 'id', value: req.customerId });
  await requireWallet(ctx, customer);
  const payer = await ensureProcessorCustomer(ctx, 'customer', customer.id, customer.email);
  const order = {
    kind: 'wallet_topup' as const,
    accountId: principal.accountId,
    projectId: principal.projectId,
    customerId: customer.id,
    amountCents: req.creditAmountCents,
    currency: CURRENCY,
  };
  const session = await openSession(ctx, order, (orderId) =>
    paymentSession(orderId, payer, { cents: req.creditAmountCents, name: 'Prepaid credit' }, req),
  );
  return toTopUpRecord(order, session);
}

/** Creates a checkout session that tops up the owner's prepaid balance. */
export async function createAccountTopUp(
  ctx: PaymentContext,
  principal: Principal,
  req: CreateAccountTopUpRequest,
): Promise<TopUpRecord> {
  checkReturnUrls(req);
  checkAmount(ctx, 'amount_cents', req.amountCents);
  const payer = await ensureProcessorCustomer(ctx, 'account', principal.accountId);
  const order = {
    kind: 'account_topup' as const,
    accountId: principal.accountId,
    amountCents: req.amountCents,
    currency: CURRENCY,
  };
  const session = await openSession(ctx, order, (orderId) =>
    paymentSession(orderId, payer, { cents: req.amountCents, name: 'Account balance' }, req),
  );
  return toTopUpRecord(order, session);
}

function checkAmount(ctx: Pick<Context, 'config'>, field: string, cents: bigint): void {
  const fault = amountFault(field, cents, ctx.config.topUps);
  if (fault) throw new AppError('VALIDATION_ERROR', `${fault.field} ${fault.message}`, { fields: [fault] });
}

/** Only customers with a wallet can top up: on PAYGO or overage tiers, or after a promo grant (DECISIONS 3.1). */
async function requireWallet(ctx: Pick<Context, 'pool'>, { id, subscription }: CustomerRecord): Promise<void> {
  const tier = subscription?.tier;
  if (tier && (tier.billingMode === 'paygo' || tier.overageEnabled)) return;
  if (!(await findAccount(ctx.pool, { kind: 'wallet', refId: id })))
    throw new AppError('INVALID_INPUT', 'the customer has no wallet: the tier is not pay-as-you-go');
}

function paymentSession(
  orderId: string,
  payer: string,
  { cents, name }: { cents: bigint; name: string },
  urls: { successUrl: string; cancelUrl: string },
): Stripe.Checkout.SessionCreateParams {
  const metadata = orderMetadata(orderId);
  return {
    mode: 'payment',
    line_items: [
      { price_data: { currency: CURRENCY, unit_amount: Number(cents), product_data: { name } }, quantity: 1 },
    ],
    success_url: urls.successUrl,
    cancel_url: urls.cancelUrl,
    client_reference_id: orderId,
    customer: payer,
    metadata,
    payment_intent_data: { metadata },
    // The payer can choose to save the card, for example for a later tier change.
    saved_payment_method_options: { payment_method_save: 'enabled' },
  };
}

function toTopUpRecord(
  order: { kind: 'wallet_topup' | 'account_topup'; amountCents: bigint; currency: string },
  session: OpenSession,
): TopUpRecord {
  return {
    id: session.orderId,
    kind: order.kind,
    status: 'open',
    session_id: session.sessionId,
    session_url: session.url,
    amount_cents: order.amountCents,
    currency: order.currency,
    reversed_cents: 0n,
    created_at: session.createdAt,
    ended_at: null,
  };
}
