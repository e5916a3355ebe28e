import { randomUUID } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { appendEvents, eventTypes } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { type CustomerInput, customerFaults } from '../domain/customer-input.js';
import { insertCustomer, updateCustomer } from '../store/customers.js';
import type { CustomerRecord } from './customer-envelope.js';
import { customerEvent } from './customer-events.js';
import { findCustomer } from './find-customer.js';

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
  const isNew = await withTransaction(ctx.pool, async (tx) => {
    const values = { ...input, id: randomUUID(), projectId: principal.projectId, accountId: principal.accountId };
    const inserted = await insertCustomer(tx, values);
    if (!inserted && mode === 'createOnly') throw new AppError('CONFLICT', 'a customer with this external_id exists');
    const row = inserted ?? (await updateCustomer(tx, values));
    await appendEvents(tx, [customerEvent(inserted ? eventTypes.customerCreated : eventTypes.customerUpdated, row)]);
    return inserted !== undefined;
  });
  ctx.relay.wake();
  return {
    customer: await findCustomer(ctx, principal.projectId, { case: 'externalId', value: input.externalId }),
    isNew,
  };
}
