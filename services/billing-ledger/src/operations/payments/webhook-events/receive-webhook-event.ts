import { AppError } from '@tollgate/errors';
import type Stripe from 'stripe';
import type { Context } from '../../../context.js';
import { type EventSubject, toEventSubject } from '../../../domain/payments/webhook-event.js';
import { syncCardSetup } from '../cards/card-setup.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { syncCheckout } from './sync-checkout.js';
import { syncInvoice, syncInvoiceOfPayment } from './sync-invoice.js';
import { syncPayment } from './sync-payment.js';
import { syncSubscription } from './sync-subscription.js';

/**
 * Verifies a webhook event of the processor and applies the state of the object that it names. The object is read from the
 * processor, so repeated, late and reordered events have the same effect. Returns when the effect is durable.
 */
export async function receiveWebhookEvent(
  ctx: PaymentContext,
  signed: { payload: Uint8Array; signature: string },
): Promise<void> {
  const event = verify(ctx, signed);
  const subject = toEventSubject(event.type, event.data.object as object);
  ctx.logger.debug({ event: event.id, type: event.type, subject }, 'webhook event received');
  await sync(ctx, subject);
}

function verify(
  ctx: Pick<Context, 'processor'>,
  { payload, signature }: { payload: Uint8Array; signature: string },
): Stripe.Event {
  const { stripe, webhookSecret, webhookToleranceSeconds } = requireProcessor(ctx);
  let event: unknown;
  try {
    event = stripe.webhooks.constructEvent(Buffer.from(payload), signature, webhookSecret, webhookToleranceSeconds);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'the webhook event is not signed by the payment processor', { cause });
  }
  if (!isEvent(event)) throw new AppError('INVALID_INPUT', 'the body is not an event of the payment processor');
  return event;
}

/** A valid signature does not imply the shape: any JSON can be signed, including `null`. */
function isEvent(value: unknown): value is Stripe.Event {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: { object?: unknown } | null };
  return typeof type === 'string' && typeof data?.object === 'object' && data.object !== null;
}

async function sync(ctx: PaymentContext, subject: EventSubject): Promise<void> {
  switch (subject.kind) {
    case 'checkout':
      return syncCheckout(ctx, subject.id);
    case 'subscription':
      await syncSubscription(ctx, subject.id);
      return;
    case 'invoice':
      // First, because the subscription of a checkout without a customer creates the customer.
      if (subject.subscriptionId) await syncSubscription(ctx, subject.subscriptionId);
      return syncInvoice(ctx, subject.id);
    case 'payment':
      return syncPayment(ctx, subject.id);
    case 'reversal':
      await syncPayment(ctx, subject.id);
      return syncInvoiceOfPayment(ctx, subject.id);
    case 'setup':
      return syncCardSetup(ctx, subject.id);
    case 'none':
      return;
  }
}
