import { askForMaybe } from '../../clients/processor.js';
import type { Context } from '../../context.js';
import { noteEmailSent, takeDueEmails } from '../../store/payments/processor-customers.js';
import { requireProcessor } from './payment-context.js';

const BATCH_MAX = 20;
const RETRY_MS = 600_000;

/** Gives the processor the changed emails of customers: it sends receipts and reminders there. Returns true if there may be more. */
export async function sendChangedEmails(
  ctx: Pick<Context, 'clock' | 'logger' | 'pool' | 'processor'>,
): Promise<boolean> {
  const { stripe } = requireProcessor(ctx);
  const retryAt = new Date(ctx.clock.nowMs() + RETRY_MS);
  const due = await takeDueEmails(ctx.pool, ctx.clock.now(), retryAt, BATCH_MAX);
  for (const customer of due) {
    const { processorCustomerId, email } = customer;
    try {
      if (email !== null) await askForMaybe(stripe.customers.update(processorCustomerId, { email }));
      await noteEmailSent(ctx.pool, customer);
    } catch (err) {
      ctx.logger.warn({ err, processor_customer: processorCustomerId }, 'changed email not sent; it will be retried');
    }
  }
  return due.length === BATCH_MAX;
}
