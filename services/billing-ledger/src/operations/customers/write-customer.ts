import { randomUUID } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { appendEvents, eventTypes } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { type CustomerInput, customerFaults } from '../../domain/customer-input.js';
import { type CustomerRecord, findCustomerById } from '../../store/customers/customer-records.js';
import { type CustomerRow, insertCustomer, updateCustomer } from '../../store/customers/customers.js';
import { noteEmailChanged } from '../../store/payments/processor-customers.js';
import { customerEvent } from './customer-events.js';

type WriteMode = 'create_only' | 'upsert';

/** Creates a customer. @throws AppError CONFLICT if the project has one with this external id */
export function createCustomer(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'relay'>,
  principal: Principal,
  input: CustomerInput,
): Promise<CustomerRecord> {
  return write(ctx, principal, input, 'create_only').then(({ customer }) => customer);
}

/** Creates or updates a customer by external id; concurrent upserts of one id create one customer. */
export function upsertCustomer(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'relay'>,
  principal: Principal,
  input: CustomerInput,
): Promise<{ customer: CustomerRecord; isNew: boolean }> {
  return write(ctx, principal, input, 'upsert');
}

async function write(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'relay'>,
  principal: Principal,
  input: CustomerInput,
  mode: WriteMode,
): Promise<{ customer: CustomerRecord; isNew: boolean }> {
  const faults = customerFaults(input);
  if (faults.length > 0)
    throw new AppError('VALIDATION_ERROR', `${faults[0]?.field} ${faults[0]?.message}`, { fields: faults });
  const values = { ...input, id: randomUUID(), projectId: principal.projectId, accountId: principal.accountId };
  let written: { row: CustomerRow; isNew: boolean; isEmailDue: boolean } | undefined;
  // Retries if the customer was deleted between the two statements.
  while (!written) {
    written = await withTransaction(ctx.pool, async (tx) => {
      const inserted = await insertCustomer(tx, values);
      if (!inserted && mode === 'create_only')
        throw new AppError('CONFLICT', 'a customer with this external_id exists');
      const row = inserted ?? (await updateCustomer(tx, values));
      if (!row) return undefined;
      await appendEvents(tx, [customerEvent(inserted ? eventTypes.customerCreated : eventTypes.customerUpdated, row)]);
      const isEmailDue = !inserted && (await noteEmailChanged(tx, row.id, row.email, ctx.clock.now()));
      return { row, isNew: inserted !== undefined, isEmailDue };
    });
  }
  ctx.relay.wake();
  const { row, isNew, isEmailDue } = written;
  if (isEmailDue) ctx.orders.wake();
  const found = await findCustomerById(ctx.pool, row.project_id, row.id);
  return { customer: found ?? toCustomerRecord(row, principal.accountId), isNew };
}

/** Converts the written row, for a customer that was deleted before it could be read. */
function toCustomerRecord(row: CustomerRow, accountId: string): CustomerRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    accountId,
    externalId: row.external_id,
    email: row.email,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    blockedAt: null,
    subscription: null,
  };
}
