import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { ListProjectPaymentsRequest } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../../context.js';
import type { ListedPayment, PaymentStatus } from '../../../store/payments/payment-orders.js';
import {
  addUpProjectPayments,
  listProjectPayments,
  type PaymentTotals,
} from '../../../store/payments/project-payments.js';
import { toPage } from '../../reports/page.js';

const STATUSES: Readonly<Record<string, PaymentStatus[]>> = {
  pending: ['open', 'processing'],
  completed: ['completed'],
  expired: ['expired'],
  failed: ['failed'],
  disputed: ['disputed'],
  won: ['won'],
  lost: ['lost'],
};

export interface PaymentList {
  payments: ListedPayment[];
  hasMore: boolean;
  /** Per currency. Empty unless they were asked for. */
  totals: PaymentTotals[];
}

/**
 * Lists the payments of the customers of the principal's project with their refunds and disputes, newest first.
 * @throws AppError INVALID_INPUT
 */
export async function listPayments(
  ctx: Pick<Context, 'pool'>,
  { projectId }: Principal,
  req: ListProjectPaymentsRequest,
): Promise<PaymentList> {
  const { take } = toPage({ limit: req.limit, offset: 0 });
  const statuses = req.status === '' ? undefined : STATUSES[req.status];
  if (req.status !== '' && statuses === undefined) throw new AppError('INVALID_INPUT', `unknown status: ${req.status}`);
  if (req.customerId !== '' && !isUuid(req.customerId)) return { payments: [], hasMore: false, totals: [] };
  const filter = {
    projectId,
    customerId: req.customerId || undefined,
    kind: req.kind || undefined,
    statuses,
    from: toDate(req.from),
    to: toDate(req.to),
  };
  const after =
    req.afterCreatedAt && isUuid(req.afterId)
      ? { createdAt: timestampDate(req.afterCreatedAt), id: req.afterId }
      : undefined;
  const rows = await listProjectPayments(ctx.pool, filter, { take: take + 1, after });
  const totals = req.includeTotals ? await addUpProjectPayments(ctx.pool, filter) : [];
  return { payments: rows.slice(0, take), hasMore: rows.length > take, totals };
}

function toDate(time: Timestamp | undefined): Date | undefined {
  return time && timestampDate(time);
}
