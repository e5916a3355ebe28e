import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../../context.js';
import { pageOf } from '../reports/page.js';
import { type CustomerRecord, withSubscription } from './customer-envelope.js';

export async function listCustomers(
  ctx: Context,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<{ customers: CustomerRecord[]; hasMore: boolean }> {
  const { take, skip } = pageOf(page);
  const rows = await ctx.prisma.customer.findMany({
    where: { projectId: principal.projectId },
    include: withSubscription,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: take + 1,
    skip,
  });
  return { customers: rows.slice(0, take), hasMore: rows.length > take };
}
