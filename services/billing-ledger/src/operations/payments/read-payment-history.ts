import { askForMaybe } from '../../clients/processor.js';
import type { Context } from '../../context.js';
import {
  noteHistoryRead,
  type TakeDueHistoriesRow,
  takeDueHistories,
} from '../../store/gen/payments/processor-payments.js';
import { type PaymentContext, requireProcessor } from './payment-context.js';
import { syncInvoice } from './webhook-events/sync-invoice.js';

const BATCH_MAX = 5;
/** Invoices of one customer that are read before the next customer's. */
const PAGE_MAX = 20;
const RETRY_MS = 600_000;

/**
 * Reads the invoices that the processor has of customers whose payments were never recorded, a page each, and emits no events.
 * Continues after the last page that was read. Returns true if there may be more.
 */
export async function readPaymentHistory(ctx: PaymentContext): Promise<boolean> {
  const retryAt = new Date(ctx.clock.nowMs() + RETRY_MS);
  const due = await takeDueHistories(ctx.pool, { now: ctx.clock.now(), retryAt, limit: BATCH_MAX });
  for (const history of due) {
    try {
      await readPage(ctx, history);
    } catch (err) {
      const { processorCustomerId } = history;
      ctx.logger.warn({ err, processor_customer: processorCustomerId }, 'payment history not read; it will be retried');
    }
  }
  return due.length === BATCH_MAX;
}

async function readPage(ctx: PaymentContext, { processorCustomerId, cursor }: TakeDueHistoriesRow): Promise<void> {
  const { data, has_more: hasMore } = await listInvoices(ctx, processorCustomerId, cursor);
  for (const { id } of data) await syncInvoice(ctx, id, { isHistory: true });
  const next = data.at(-1)?.id ?? null;
  await noteHistoryRead(ctx.pool, {
    processorCustomerId,
    cursor: next,
    dueAt: hasMore && next !== null ? ctx.clock.now() : null,
  });
}

/** A customer that was deleted at the processor has no list. */
async function listInvoices(ctx: Pick<Context, 'processor'>, customer: string, cursor: string | null) {
  const { stripe } = requireProcessor(ctx);
  const page = { customer, limit: PAGE_MAX, ...(cursor !== null && { starting_after: cursor }) };
  return (await askForMaybe(stripe.invoices.list(page))) ?? { data: [], has_more: false };
}
