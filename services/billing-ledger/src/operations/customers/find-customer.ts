import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import {
  type CustomerRecord,
  findCustomerByExternalId,
  findCustomerById,
} from '../../store/customers/customer-records.js';

export type CustomerRef = { case: 'id' | 'customerId' | 'externalId' | undefined; value?: string };

/** Returns false for text that is not a UUID; no customer can have such an id. */
export function isCustomerId(text: string): boolean {
  return isUuid(text);
}

/** Finds a customer of the project by id or external id. @throws AppError NOT_FOUND */
export async function findCustomer(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  by: CustomerRef,
): Promise<CustomerRecord> {
  const customer = await lookUp(ctx, projectId, by);
  if (!customer) throw new AppError('NOT_FOUND', 'customer not found');
  return customer;
}

async function lookUp(
  { pool }: Pick<Context, 'pool'>,
  projectId: string,
  by: CustomerRef,
): Promise<CustomerRecord | undefined> {
  const value = by.value ?? '';
  if (by.case === 'externalId') return findCustomerByExternalId(pool, projectId, value);
  return isCustomerId(value) ? findCustomerById(pool, projectId, value) : undefined;
}
