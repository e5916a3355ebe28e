import type { StartCardSetupCheckoutRequest } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type Stripe from 'stripe';
import { askForMaybe } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { type AutoTopUpRow, findAutoTopUp, keepCard } from '../../../store/payments/auto-topups.js';
import {
  endOrder,
  findOrderBy,
  lockOrder,
  noteSetupIntent,
  type PaymentOrder,
} from '../../../store/payments/payment-orders.js';
import { checkReturnUrls } from '../checkouts/create-checkout.js';
import { CURRENCY } from '../checkouts/create-top-up.js';
import { ensureProcessorCustomer } from '../ensure-processor-customer.js';
import { callForOrder, type OpenSession, openOrder, openSession } from '../orders/open-order.js';
import { orderMetadata, readOrderId } from '../orders/order-metadata.js';
import { requireProcessor } from '../payment-context.js';
import { toProcessorCard } from './processor-card.js';

/** Starts saving a card for off-session charges. */
export async function startCardSetup(
  ctx: Pick<Context, 'clock' | 'pool' | 'processor'>,
  principal: Principal,
): Promise<Stripe.SetupIntent> {
  const { stripe } = requireProcessor(ctx);
  const payer = await ensureProcessorCustomer(ctx, 'account', principal.accountId);
  const order = { kind: 'card_setup' as const, accountId: principal.accountId };
  const orderId = await openOrder(ctx, ctx.clock.nowMs(), order);
  if (orderId === undefined) throw new AppError('CONFLICT', 'another card setup is in progress');
  const intent = await callForOrder(ctx, orderId, () =>
    stripe.setupIntents.create(
      {
        customer: payer,
        allowed_payment_method_types: ['card'],
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        usage: 'off_session',
        metadata: orderMetadata(orderId),
      },
      { idempotencyKey: orderId },
    ),
  );
  await noteSetupIntent(ctx.pool, orderId, intent.id);
  return intent;
}

/** Starts saving a card for off-session charges on a page of the processor, which the owner's browser is led to. */
export async function startCardSetupCheckout(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'processor'>,
  principal: Principal,
  req: StartCardSetupCheckoutRequest,
): Promise<OpenSession> {
  checkReturnUrls(req);
  const { accountId } = principal;
  const payer = await ensureProcessorCustomer(ctx, 'account', accountId);
  return openSession(ctx, { kind: 'card_setup', accountId }, (orderId) => ({
    mode: 'setup',
    currency: CURRENCY,
    customer: payer,
    payment_method_types: ['card'],
    success_url: req.successUrl,
    cancel_url: req.cancelUrl,
    client_reference_id: orderId,
    metadata: orderMetadata(orderId),
    setup_intent_data: { metadata: orderMetadata(orderId) },
  }));
}

/** Saves the card of a page that is complete. `session` has its setup intent and payment method expanded. */
export async function completeCardSetup(
  ctx: Pick<Context, 'clock' | 'pool'>,
  order: PaymentOrder,
  { setup_intent: intent }: Stripe.Checkout.Session,
): Promise<void> {
  if (typeof intent === 'object' && intent?.status === 'succeeded') await applyCardSetup(ctx, order, intent);
}

export async function confirmCardSetup(
  ctx: Pick<Context, 'clock' | 'pool' | 'processor'>,
  principal: Principal,
  setupIntentId: string,
): Promise<AutoTopUpRow | undefined> {
  const order = await findOrderBy(ctx.pool, 'setup_intent_id', setupIntentId);
  if (order?.account_id !== principal.accountId) throw new AppError('NOT_FOUND', 'card setup not found');
  const intent = await retrieve(ctx, setupIntentId);
  if (intent?.status !== 'succeeded') throw new AppError('CONFLICT', 'the card setup is not finished');
  if (!(await applyCardSetup(ctx, order, intent))) throw new AppError('CONFLICT', 'the payment method is not a card');
  return findAutoTopUp(ctx.pool, principal.accountId);
}

/** Saves the card of a finished setup on a webhook event: the owner may have closed the page before confirming. */
export async function syncCardSetup(
  ctx: Pick<Context, 'clock' | 'pool' | 'processor'>,
  setupIntentId: string,
): Promise<void> {
  const intent = await retrieve(ctx, setupIntentId);
  if (!intent || !readOrderId(intent.metadata)) return;
  const order = await findOrderBy(ctx.pool, 'setup_intent_id', setupIntentId);
  if (order && intent.status === 'succeeded') await applyCardSetup(ctx, order, intent);
}

/** Applies a setup once: a repeat must not restore a card that the owner replaced or removed since. */
async function applyCardSetup(
  ctx: Pick<Context, 'clock' | 'pool'>,
  order: PaymentOrder,
  intent: Stripe.SetupIntent,
): Promise<boolean> {
  const card = toProcessorCard(intent.payment_method);
  if (!card) return false;
  await withTransaction(ctx.pool, async (tx) => {
    const locked = await lockOrder(tx, order.id);
    if (locked?.kind !== 'card_setup' || locked.status === 'completed') return;
    await keepCard(tx, order.account_id, card);
    await endOrder(tx, order.id, { status: 'completed', at: ctx.clock.now() });
  });
  return true;
}

function retrieve(ctx: Pick<Context, 'processor'>, id: string): Promise<Stripe.SetupIntent | undefined> {
  return askForMaybe(requireProcessor(ctx).stripe.setupIntents.retrieve(id, { expand: ['payment_method'] }));
}
