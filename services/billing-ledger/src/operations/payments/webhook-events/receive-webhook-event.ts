import { AppError } from '@tollgate/errors';
import type Stripe from 'stripe';
import type { Context } from '../../../context.js';
import { type NoticeSubject, subjectOfNotice } from '../../../domain/payments/webhook-event.js';
import { syncCardSetup } from '../cards/card-setup.js';
import { requireProcessor } from '../require-processor.js';
import { syncCheckout } from './sync-checkout.js';
import { syncPayment } from './sync-payment.js';
import { syncSubscription } from './sync-subscription.js';

/**
 * Takes a notice of the processor. Its signature says that it is one; what it is about is read anew, so that repeated,
 * late and overtaken notices find the same state and do the same. Returns when the effect is durable.
 */
export async function receiveNotice(ctx: Context, notice: { payload: Uint8Array; signature: string }): Promise<void> {
  const event = verified(ctx, notice);
  const subject = subjectOfNotice(event.type, event.data.object as object);
  ctx.logger.debug({ notice: event.id, type: event.type, subject }, 'a notice of the payment processor');
  await sync(ctx, subject);
}

function verified(ctx: Context, { payload, signature }: { payload: Uint8Array; signature: string }): Stripe.Event {
  const { stripe, noticeSecret, noticeToleranceSeconds } = requireProcessor(ctx);
  let event: unknown;
  try {
    event = stripe.webhooks.constructEvent(Buffer.from(payload), signature, noticeSecret, noticeToleranceSeconds);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'the notice is not signed by the payment processor', { cause });
  }
  if (!isEvent(event)) throw new AppError('INVALID_INPUT', 'the body is not an event of the payment processor');
  return event;
}

/** The signature covers any JSON, `null` too. */
function isEvent(value: unknown): value is Stripe.Event {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: { object?: unknown } | null };
  return typeof type === 'string' && typeof data?.object === 'object' && data.object !== null;
}

async function sync(ctx: Context, subject: NoticeSubject): Promise<void> {
  switch (subject.kind) {
    case 'checkout':
      return syncCheckout(ctx, subject.id);
    case 'subscription':
      await syncSubscription(ctx, subject.id);
      return;
    case 'payment':
      return syncPayment(ctx, subject.id);
    case 'setup':
      return syncCardSetup(ctx, subject.id);
    case 'none':
      return;
  }
}
