import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ListUnchargedUsageRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { listUncharged, type UnchargedFilter, type UnchargedRow } from '../../store/reports/uncharged-usage.js';
import { toPage } from './page.js';

/** Lists the requests of the principal's project with usage that no customer paid for. @throws AppError INVALID_INPUT */
export async function listUnchargedUsage(
  ctx: Pick<Context, 'pool'>,
  { accountId, projectId }: Principal,
  req: ListUnchargedUsageRequest,
): Promise<{ rows: UnchargedRow[]; hasMore: boolean }> {
  const { take } = toPage({ limit: req.limit, offset: 0 });
  if (req.customerId !== '' && !isUuid(req.customerId)) return { rows: [], hasMore: false };
  const filter = { ownerAccountId: accountId, projectId, customerId: req.customerId || undefined, kind: readKind(req) };
  const after =
    req.afterOccurredAt && isUuid(req.afterId)
      ? { settledAt: timestampDate(req.afterOccurredAt), id: req.afterId }
      : undefined;
  const rows = await listUncharged(ctx.pool, filter, { take: take + 1, after });
  return { rows: rows.slice(0, take), hasMore: rows.length > take };
}

function readKind({ kind }: ListUnchargedUsageRequest): UnchargedFilter['kind'] {
  if (kind === '') return undefined;
  if (kind === 'overrun' || kind === 'unreconciled') return kind;
  throw new AppError('INVALID_INPUT', `unknown kind: ${kind}; use overrun or unreconciled`);
}
