import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ListProjectPaymentsRequest } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../../context.js';
import type { OrderStatus, PaymentOrder } from '../../../store/payments/payment-orders.js';
import { listProjectPayments } from '../../../store/payments/project-payments.js';
import { toPage } from '../../reports/page.js';

const STATUSES: Readonly<Record<string, OrderStatus>> = {
  pending: 'open',
  completed: 'completed',
  expired: 'expired',
  failed: 'failed',
};

/** Lists the purchases of the customers of the principal's project, newest first. @throws AppError INVALID_INPUT */
export async function listPayments(
  ctx: Pick<Context, 'pool'>,
  { projectId }: Principal,
  req: ListProjectPaymentsRequest,
): Promise<{ payments: PaymentOrder[]; hasMore: boolean }> {
  const { take } = toPage({ limit: req.limit, offset: 0 });
  const status = req.status === '' ? undefined : STATUSES[req.status];
  if (req.status !== '' && status === undefined) throw new AppError('INVALID_INPUT', `unknown status: ${req.status}`);
  if (req.customerId !== '' && !isUuid(req.customerId)) return { payments: [], hasMore: false };
  const filter = { projectId, customerId: req.customerId || undefined, kind: req.kind || undefined, status };
  const after =
    req.afterCreatedAt && isUuid(req.afterId)
      ? { createdAt: timestampDate(req.afterCreatedAt), id: req.afterId }
      : undefined;
  const rows = await listProjectPayments(ctx.pool, filter, { take: take + 1, after });
  return { payments: rows.slice(0, take), hasMore: rows.length > take };
}
