import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CheckedLimitSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { ReadHoldResponseSchema } from '@tollgate/contracts/billing/v1/holds_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { applicableLimits, HOLD_STATES, type Hold, heldUnits, holdFromRow } from '../../domain/hold.js';
import { COUNTERPARTS } from '../../domain/settle-hold.js';
import { LIMIT_ROLES, type LimitRole } from '../../domain/subject.js';
import { type FindReportedHoldRow, findReportedHold } from '../../store/gen/reports/reported-hold.js';
import { readLimitTotals } from '../../store/reports/reported-hold.js';
import { toPriceMessage } from './admit.js';

const STATE_NAMES = new Map(Object.entries(HOLD_STATES).map(([name, state]) => [state, name]));

/** Returns a hold of the principal's project, for reports. @throws AppError NOT_FOUND */
export async function readHold(
  ctx: Pick<Context, 'pool'>,
  { accountId, projectId }: Principal,
  holdId: string,
): Promise<MessageInitShape<typeof ReadHoldResponseSchema>> {
  const row = isLowerCaseUuid(holdId)
    ? await findReportedHold(ctx.pool, { ownerAccountId: accountId, holdId })
    : undefined;
  const hold = row && holdFromRow(row);
  if (!hold || hold.terms.projectId !== projectId) throw new AppError('NOT_FOUND', 'hold not found');
  const { customerPrice, providerPrice } = hold.terms;
  const covered = heldUnits(hold.terms);
  return {
    state: STATE_NAMES.get(row.state) ?? '',
    openedAt: timestampFromDate(row.created_at),
    expiresAt: timestampFromDate(row.expires_at),
    ...(row.settled_at && { endedAt: timestampFromDate(row.settled_at) }),
    limits: await toLimits(ctx, hold, row),
    customerPrice: customerPrice && toPriceMessage(customerPrice),
    providerPrice: toPriceMessage(providerPrice),
    inputTokens: covered.inputTokens,
    outputTokens: covered.outputTokens,
    images: covered.images,
  };
}

async function toLimits(
  { pool }: Pick<Context, 'pool'>,
  hold: Hold,
  row: FindReportedHoldRow,
): Promise<MessageInitShape<typeof CheckedLimitSchema>[]> {
  const accounts = applicableLimits(hold);
  const roles = LIMIT_ROLES.filter((role) => accounts[role] !== undefined);
  const totals = await readLimitTotals(
    pool,
    roles.map((role) => accounts[role] as bigint),
  );
  return roles.map((role) => {
    const leg = hold.legs.findIndex((each) => each.role === role);
    const available = row.free_before?.[leg];
    return {
      limit: role,
      total: totals.get(accounts[role] as bigint),
      ...(available && { available: BigInt(available) }),
      held: hold.legs[leg]?.amount ?? 0n,
      charged: chargedTo(role, row),
    };
  });
}

function chargedTo(role: LimitRole, { charges }: FindReportedHoldRow): bigint {
  return BigInt(charges?.[COUNTERPARTS[role].kind] ?? 0);
}
