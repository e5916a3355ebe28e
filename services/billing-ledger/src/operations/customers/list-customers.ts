import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../../context.js';
import { type CustomerRecord, listCustomerRecords } from '../../store/customers/customer-records.js';
import { toPage } from '../reports/page.js';

export async function listCustomers(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<{ customers: CustomerRecord[]; hasMore: boolean }> {
  const { take, skip } = toPage(page);
  const records = await listCustomerRecords(ctx.pool, principal.projectId, { take: take + 1, skip });
  return { customers: records.slice(0, take), hasMore: records.length > take };
}
