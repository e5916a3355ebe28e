import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ListCustomersRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import type { CustomerRecord } from '../../store/customers/customer-records.js';
import { type CustomerFilter, countCustomers, searchCustomers } from '../../store/customers/customer-search.js';
import { toPage } from '../reports/page.js';

export interface CustomerList {
  customers: CustomerRecord[];
  hasMore: boolean;
  /** Only if it is asked for. */
  total: bigint | undefined;
}

const IDS_MAX = 100;

/** Lists the customers of the principal's project that the request's filters match. @throws AppError INVALID_INPUT for faulty ids */
export async function listCustomers(
  ctx: Pick<Context, 'pool'>,
  { projectId }: Principal,
  req: ListCustomersRequest,
): Promise<CustomerList> {
  const { take, skip } = toPage(req);
  const filter: CustomerFilter = {
    projectId,
    search: req.search || undefined,
    email: req.email || undefined,
    externalId: req.externalId || undefined,
    tierCode: req.tierCode || undefined,
    status: req.subscriptionStatus || undefined,
    ids: readIds(req.ids),
  };
  const after =
    req.afterCreatedAt && isUuid(req.afterId)
      ? { createdAt: timestampDate(req.afterCreatedAt), id: req.afterId }
      : undefined;
  const page = { take: take + 1, skip: after ? 0 : skip, after, isNewestFirst: req.newestFirst };
  const records = await searchCustomers(ctx.pool, filter, page);
  const total = req.countsTotal ? await countCustomers(ctx.pool, filter) : undefined;
  return { customers: records.slice(0, take), hasMore: records.length > take, total };
}

function readIds(ids: readonly string[]): readonly string[] | undefined {
  if (ids.length > IDS_MAX || !ids.every(isUuid))
    throw new AppError('INVALID_INPUT', `ids must be at most ${IDS_MAX} ids`);
  return ids.length === 0 ? undefined : ids;
}
