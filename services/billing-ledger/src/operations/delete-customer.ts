import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { appendEvents, eventTypes } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { deleteCustomerRow } from '../store/customers.js';
import { customerEvent } from './customer-events.js';
import { isCustomerId } from './find-customer.js';

/** Removes a customer; a processor subscription is not cancelled (SPEC "Customers"). */
export async function deleteCustomer(ctx: Context, principal: Principal, id: string): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    const row = isCustomerId(id) ? await deleteCustomerRow(tx, principal.projectId, id) : undefined;
    if (!row) throw new AppError('NOT_FOUND', 'customer not found');
    await appendEvents(tx, [customerEvent(eventTypes.customerDeleted, row)]);
  });
  ctx.subjects.dropCustomer(id.toLowerCase());
  ctx.relay.wake();
}
