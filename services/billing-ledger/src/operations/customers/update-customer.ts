import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { appendEvents, eventTypes } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { customerFaults } from '../../domain/customer-input.js';
import type { CustomerRecord } from '../../store/customers/customer-records.js';
import { changeCustomer } from '../../store/customers/customers.js';
import { noteEmailChanged } from '../../store/payments/processor-customers.js';
import { customerEvent } from './customer-events.js';
import { findCustomer } from './find-customer.js';

export interface CustomerChange {
  id: string;
  /** Absent = unchanged. */
  email?: string | undefined;
  metadataJson?: string | undefined;
  blocked?: boolean | undefined;
}

/** Changes a customer's email and metadata, and whether its requests are refused. @throws AppError VALIDATION_ERROR; NOT_FOUND */
export async function updateCustomer(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'relay' | 'subjects'>,
  principal: Principal,
  change: CustomerChange,
): Promise<CustomerRecord> {
  const by = { case: 'id', value: change.id } as const;
  const { id, projectId, externalId, ...known } = await findCustomer(ctx, principal.projectId, by);
  const { email = known.email, metadataJson, blocked } = change;
  const [fault, ...others] = customerFaults({ externalId, email, metadataJson });
  if (fault) {
    throw new AppError('VALIDATION_ERROR', `${fault.field} ${fault.message}`, { fields: [fault, ...others] });
  }
  const isEmailDue = await withTransaction(ctx.pool, async (tx) => {
    const row = await changeCustomer(tx, { projectId, id, email: change.email, metadataJson, blocked });
    if (!row) throw new AppError('NOT_FOUND', 'customer not found');
    await appendEvents(tx, [customerEvent(eventTypes.customerUpdated, row)]);
    return change.email !== undefined && noteEmailChanged(tx, id, change.email, ctx.clock.now());
  });
  if (isEmailDue) ctx.orders.wake();
  ctx.subjects.dropCustomer(id);
  ctx.relay.wake();
  return findCustomer(ctx, projectId, by);
}
