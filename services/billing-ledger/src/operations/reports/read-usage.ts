import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { GetCustomerUsageResponseSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { centsToMicrocents } from '@tollgate/money';
import type { Context } from '../../context.js';
import { chargedAmount, findAccount } from '../../store/accounts.js';
import { dailyUsage } from '../../store/reports/usage.js';
import { readSubject } from '../../store/subjects/subjects.js';
import { isCustomerId } from '../customers/find-customer.js';
import { findWindow } from '../subjects/load-subject.js';

const INT64_MAX = 2n ** 63n - 1n;

/** Returns the usage of the customer's current billing window, and the rest of limit and wallet. */
export async function readCustomerUsage(
  ctx: Pick<Context, 'clock' | 'pool'>,
  principal: Principal,
  customerId: string,
): Promise<MessageInitShape<typeof GetCustomerUsageResponseSchema>> {
  const row = isCustomerId(customerId) ? await readSubject(ctx.pool, principal.projectId, customerId) : undefined;
  if (!row) throw new AppError('NOT_FOUND', 'customer not found');
  const window = findWindow(row, ctx.clock.nowMs());
  const daily = await dailyUsage(ctx.pool, customerId, window.startMs);
  const wallet = await findAccount(ctx.pool, { kind: 'wallet', refId: customerId });
  // On these tiers the wallet's row is created on first use.
  const hasWallet = row.tier?.billingMode === 'paygo' || row.tier?.overageEnabled === true;
  const limit = row.tier?.billingMode === 'subscription' ? row.tier.spendLimitCents : undefined;
  // Only the allowance's own charges: on an overage tier the wallet pays a part of the usage.
  const allowance =
    limit === undefined ? undefined : await findAccount(ctx.pool, { kind: 'allowance', refId: customerId, window });
  return {
    windowStart: timestampFromMs(window.startMs),
    windowEnd: timestampFromMs(window.endMs),
    requests: total(daily.map((day) => day.requests)),
    tokens: total(daily.map((day) => day.tokens)),
    totalCostMicrocents: total(daily.map((day) => day.costMicrocents)),
    ...(limit !== undefined && {
      spendLimitCents: limit,
      spendRemainingMicrocents: atLeastZero(centsToMicrocents(limit) - (allowance ? chargedAmount(allowance) : 0n)),
    }),
    ...((wallet || hasWallet) && {
      walletBalanceMicrocents: wallet ? wallet.credits - wallet.debits : 0n,
      walletReservedMicrocents: wallet?.held ?? 0n,
    }),
    overageEnabled: row.tier?.overageEnabled === true,
    daily,
  };
}

/** Sums and saturates to int64, the range of the wire format. */
function total(figures: readonly bigint[]): bigint {
  const sum = figures.reduce((left, figure) => left + figure, 0n);
  return sum > INT64_MAX ? INT64_MAX : sum;
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
