import { ask, askForMaybe, toId } from '../../../clients/processor.js';
import { clearRequest, drawTicket, type OverdueSubscription } from '../../../store/payments/processor-subscriptions.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { syncInvoice } from '../webhook-events/sync-invoice.js';
import { applySubscription, syncSubscription } from '../webhook-events/sync-subscription.js';

/** Sends a subscription's pending request to the processor, or reads the subscription and its last invoice if there is none. */
export async function followUp(ctx: PaymentContext, { id, pending }: OverdueSubscription): Promise<void> {
  if (pending === 'cancel') await cancelAtProcessor(ctx, id);
  else if (pending === 'end_trial') await endTrial(ctx, id);
  else await syncWithInvoice(ctx, id);
}

async function syncWithInvoice(ctx: PaymentContext, id: string): Promise<void> {
  const invoice = toId((await syncSubscription(ctx, id))?.latest_invoice);
  if (invoice) await syncInvoice(ctx, invoice);
}

/** Cancels a subscription immediately. Does nothing if it has already ended. */
export async function cancelAtProcessor(ctx: PaymentContext, id: string): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const ticket = await drawTicket(ctx.pool);
  const canceled = await askForMaybe(stripe.subscriptions.cancel(id));
  if (canceled) await applySubscription(ctx, canceled, ticket);
  else await syncSubscription(ctx, id);
}

async function endTrial(ctx: PaymentContext, id: string): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const now = await syncSubscription(ctx, id);
  if (now?.status === 'trialing') {
    const ticket = await drawTicket(ctx.pool);
    await applySubscription(ctx, await ask(stripe.subscriptions.update(id, { trial_end: 'now' })), ticket);
  }
  await clearRequest(ctx.pool, id);
}
