import { AccountLimitKind, type SetAccountLimitRequest } from '@tollgate/contracts/billing/v1/account_limits_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { type AccountLimit, putAccountLimit, removeAccountLimit } from '../../store/subjects/subjects.js';

const KINDS: Partial<Record<AccountLimitKind, AccountLimit>> = {
  [AccountLimitKind.FREE_CREDIT_DAILY_CAP]: 'daily_cap',
  [AccountLimitKind.QUOTA]: 'quota',
};

/** Overrides a configured limit for one account. Other replicas apply it within seconds. */
export async function setAccountLimit(
  ctx: Pick<Context, 'pool' | 'subjects'>,
  principal: Principal,
  req: SetAccountLimitRequest,
): Promise<void> {
  const kind = KINDS[req.kind];
  if (!kind) throw new AppError('INVALID_INPUT', 'unknown kind of limit');
  const { accountId } = principal;
  if (req.value.case === 'amount') {
    if (req.value.value < 0n) throw new AppError('INVALID_INPUT', 'a limit must not be negative');
    await putAccountLimit(ctx.pool, accountId, kind, req.value.value);
  } else if (req.value.case === 'unlimited' && req.value.value) await putAccountLimit(ctx.pool, accountId, kind, null);
  else await removeAccountLimit(ctx.pool, accountId, kind);
  ctx.subjects.dropAccount(accountId);
}
