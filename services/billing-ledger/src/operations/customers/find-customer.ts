import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { type CustomerRecord, withSubscription } from './customer-envelope.js';

export type CustomerRef = { case: 'id' | 'customerId' | 'externalId' | undefined; value?: string };

/** What is no id names no customer. */
export function isCustomerId(text: string): boolean {
  return UUID.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The project's customer, by id or external id; NOT_FOUND otherwise, also for one of another project. */
export async function findCustomer(ctx: Context, projectId: string, by: CustomerRef): Promise<CustomerRecord> {
  const value = by.value ?? '';
  const isExternal = by.case === 'externalId';
  if (!isExternal && !isCustomerId(value)) throw new AppError('NOT_FOUND', 'customer not found');
  const customer = await ctx.prisma.customer.findFirst({
    where: { projectId, ...(isExternal ? { externalId: value } : { id: value }) },
    include: withSubscription,
  });
  if (!customer) throw new AppError('NOT_FOUND', 'customer not found');
  return customer;
}
