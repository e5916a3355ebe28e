import { randomUUID } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { appendEvents, eventTypes } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { type CustomerInput, customerFaults } from '../../domain/customer-input.js';
import { type CustomerRecord, findCustomerById } from '../../store/customers/customer-records.js';
import { type CustomerRow, insertCustomer, updateCustomer } from '../../store/customers/customers.js';
import { customerEvent } from './customer-events.js';

const MINE = { createOnly: 'createOnly', upsert: 'upsert' } as const;

/** Creates a customer; CONFLICT when the project has one with this external id. */
export function createCustomer(ctx: Context, principal: Principal, input: CustomerInput): Promise<CustomerRecord> {
  return write(ctx, principal, input, MINE.createOnly).then(({ customer }) => customer);
}

/** Creates or updates by external id; concurrent upserts of one id make one customer. */
export function upsertCustomer(
  ctx: Context,
  principal: Principal,
  input: CustomerInput,
): Promise<{ customer: CustomerRecord; isNew: boolean }> {
  return write(ctx, principal, input, MINE.upsert);
}

async function write(
  ctx: Context,
  principal: Principal,
  input: CustomerInput,
  mode: keyof typeof MINE,
): Promise<{ customer: CustomerRecord; isNew: boolean }> {
  const faults = customerFaults(input);
  if (faults.length > 0)
    throw new AppError('VALIDATION_ERROR', `${faults[0]?.field} ${faults[0]?.message}`, { fields: faults });
  const values = { ...input, id: randomUUID(), projectId: principal.projectId, accountId: principal.accountId };
  let written: { row: CustomerRow; isNew: boolean } | undefined;
  // Undefined: deleted between the two statements; now it can be inserted.
  while (!written) {
    written = await withTransaction(ctx.pool, async (tx) => {
      const inserted = await insertCustomer(tx, values);
      if (!inserted && mode === 'createOnly') throw new AppError('CONFLICT', 'a customer with this external_id exists');
      const row = inserted ?? (await updateCustomer(tx, values));
      if (!row) return undefined;
      await appendEvents(tx, [customerEvent(inserted ? eventTypes.customerCreated : eventTypes.customerUpdated, row)]);
      return { row, isNew: inserted !== undefined };
    });
  }
  ctx.relay.wake();
  const { row, isNew } = written;
  const found = await findCustomerById(ctx.pool, row.project_id, row.id);
  return { customer: found ?? recordOf(row, principal.accountId), isNew };
}

/** As it was written, when somebody has deleted it since. */
function recordOf(row: CustomerRow, accountId: string): CustomerRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    accountId,
    externalId: row.external_id,
    email: row.email,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    subscription: null,
  };
}
