import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type {
  GetAccountUsageRequest,
  GetAccountUsageResponseSchema,
  VerifyLedgerResponseSchema,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { brokenSeals, ledgerDifferences, readMonths } from '@tollgate/ledger-audit';
import type { Context } from '../../context.js';
import { forfeitedBetween, writtenOffBetween } from '../../store/credit/forfeits.js';
import { groupedUsage, ledgerTotals, USAGE_GROUPS, unpaidUsage } from '../../store/reports/usage.js';
import { toPage } from './page.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** Returns the usage of all projects of the owner, or of one of them. Default: the last 30 days, by day. */
export async function readAccountUsage(
  ctx: Pick<Context, 'clock' | 'pool'>,
  principal: Principal,
  req: GetAccountUsageRequest,
): Promise<MessageInitShape<typeof GetAccountUsageResponseSchema>> {
  const group = (req.groupBy || 'day') as keyof typeof USAGE_GROUPS;
  if (!Object.hasOwn(USAGE_GROUPS, group))
    throw new AppError('INVALID_INPUT', 'group_by must be day, model, customer or key');
  const now = ctx.clock.nowMs();
  const fromMs = req.from ? timestampMs(req.from) : now - (DEFAULT_DAYS - 1) * DAY_MS;
  const toMs = req.to ? timestampMs(req.to) : now + 1;
  if (fromMs >= toMs) throw new AppError('INVALID_INPUT', 'from must be before to');
  // Usage is stored by day: a day is included if any part of it is in the range.
  const days = { fromDay: toDay(fromMs), toDay: toDay(toMs + DAY_MS - 1) };
  const range = { ownerAccountId: principal.accountId, projectId: req.projectId || undefined, ...days };
  const page = toPage(req);
  const rows = await groupedUsage(ctx.pool, range, group, { ...page, take: page.take + 1 });
  const unpaid = await unpaidUsage(ctx.pool, range);
  const forfeitedMicrocents = await forfeitedBetween(ctx.pool, range);
  const writtenOffMicrocents = await writtenOffBetween(ctx.pool, range);
  return {
    rows: rows.slice(0, page.take),
    hasMore: rows.length > page.take,
    forfeitedMicrocents,
    writtenOffMicrocents,
    overrunMicrocents: unpaid.overrun,
    unreconciledMicrocents: unpaid.unreconciled,
  };
}

/** Recomputes every balance of the owner from the sealed months and the open journal, and checks the chain of seals. */
export async function verifyLedger(
  ctx: Pick<Context, 'metrics' | 'pool'>,
  principal: Principal,
): Promise<MessageInitShape<typeof VerifyLedgerResponseSchema>> {
  const [differences, totals, months] = await Promise.all([
    ledgerDifferences(ctx.pool, principal.accountId),
    ledgerTotals(ctx.pool, principal.accountId),
    readMonths(ctx.pool),
  ]);
  ctx.metrics.verified.owner(principal.accountId, differences.length);
  return {
    differences: [...differences, ...brokenSeals(months)],
    openHolds: totals.openHolds,
    overrunMicrocents: totals.overrun,
    unreconciledMicrocents: totals.unreconciled,
  };
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
