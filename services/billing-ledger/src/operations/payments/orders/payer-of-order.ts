import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { appendEvents, eventTypes } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import { ask } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { insertCustomer } from '../../../store/customers/customers.js';
import { findOrder, lockOrder, noteCustomer, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { keepProcessorCustomer } from '../../../store/payments/processor-customers.js';
import { customerEvent } from '../../customers/customer-events.js';
import { requireProcessor } from '../payment-context.js';

/** The customer at the processor who pays an order. */
interface ProcessorCustomer {
  processorCustomerId: string;
  /** As the processor collected it; read from the processor if absent. */
  email?: string | undefined;
}

/**
 * Returns the customer of an order. A checkout without a customer creates one, whichever webhook event arrives first (SPEC
 * "Tiers"); its external id is its id at the processor. Returns undefined if the order does not exist or its project was
 * deleted before it was paid.
 */
export async function payerOfOrder(
  ctx: Pick<Context, 'pool' | 'processor' | 'relay'>,
  orderId: string,
  payer: ProcessorCustomer,
): Promise<string | undefined> {
  const order = await findOrder(ctx.pool, orderId);
  if (!order?.project_id) return undefined;
  if (order.customer_id) return order.customer_id;
  if (order.undo_requested_at) return undefined;
  const email = payer.email ?? (await readEmail(ctx, payer.processorCustomerId));
  const customerId = await withTransaction(ctx.pool, async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (locked?.customer_id) return locked.customer_id;
    const values = customerValues(order, payer.processorCustomerId, email);
    const row = await insertCustomer(tx, values);
    if (!row) throw new AppError('CONFLICT', `the project has a customer with external_id ${values.externalId}`);
    await noteCustomer(tx, orderId, row.id);
    const { processorCustomerId } = payer;
    await keepProcessorCustomer(tx, { kind: 'customer', refId: row.id, processorCustomerId, email });
    await appendEvents(tx, [customerEvent(eventTypes.customerCreated, row)]);
    return row.id;
  });
  ctx.relay.wake();
  return customerId;
}

function customerValues(order: PaymentOrder, processorCustomerId: string, email: string) {
  return {
    id: randomUUID(),
    projectId: order.project_id ?? '',
    accountId: order.account_id,
    externalId: processorCustomerId,
    email,
  };
}

async function readEmail(ctx: Pick<Context, 'processor'>, processorCustomerId: string): Promise<string> {
  const customer = await ask(requireProcessor(ctx).stripe.customers.retrieve(processorCustomerId));
  if (customer.deleted || !customer.email)
    throw new AppError('SERVICE_UNAVAILABLE', 'the payment processor has no email of the payer yet');
  return customer.email;
}
