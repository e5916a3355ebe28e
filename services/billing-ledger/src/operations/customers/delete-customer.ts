import type { DeleteCustomerRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { appendEvents, eventTypes } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { deleteCustomerRow } from '../../store/customers/customers.js';
import { insertDeletedCustomer } from '../../store/customers/deleted-customers.js';
import { scheduleCancellations } from '../../store/payments/processor-subscriptions.js';
import { undoOrdersOfCustomer } from '../../store/payments/undone-orders.js';
import { closeWallet } from '../credit/close-wallet.js';
import { customerEvent } from './customer-events.js';
import { isCustomerId } from './find-customer.js';

/**
 * Deletes a customer, marks its open purchases to be undone and forfeits its wallet. A running subscription continues at
 * the processor (SPEC "Customers") unless the owner asks to cancel it. One transaction records all of it; workers make the
 * calls to the processor.
 */
export async function deleteCustomer(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'relay' | 'subjects'>,
  principal: Principal,
  req: DeleteCustomerRequest,
): Promise<void> {
  const { accountId, projectId } = principal;
  await withTransaction(ctx.pool, async (tx) => {
    const row = isCustomerId(req.id) ? await deleteCustomerRow(tx, projectId, req.id) : undefined;
    if (!row) throw new AppError('NOT_FOUND', 'customer not found');
    const { id } = row;
    const now = ctx.clock.now();
    await insertDeletedCustomer(tx, { id, projectId, accountId }, now);
    await undoOrdersOfCustomer(tx, id, now);
    if (req.cancelSubscription) await scheduleCancellations(tx, id, now);
    await closeWallet(tx, id);
    await appendEvents(tx, [customerEvent(eventTypes.customerDeleted, row)]);
  });
  ctx.subjects.dropCustomer(req.id.toLowerCase());
  ctx.relay.wake();
  ctx.orders.wake();
}
