import type { GrantCreditRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { type AccountKey, lockAccounts, openAccount } from '../../store/accounts.js';
import { insertTransfer } from '../../store/transfers.js';
import { findCustomer } from '../customers/find-customer.js';

const SOURCES: Record<string, bigint> = {
  top_up: COUNTER_ACCOUNTS.processorClearing,
  promo: COUNTER_ACCOUNTS.promo,
  adjustment: COUNTER_ACCOUNTS.adjustment,
};

/** Credits an owner account or a customer's wallet. Repeating the same cause changes nothing. */
export async function grantCredit(
  ctx: Pick<Context, 'logger' | 'pool' | 'subjects'>,
  principal: Principal,
  req: GrantCreditRequest,
): Promise<{ balanceMicrocents: bigint; applied: boolean }> {
  const source = SOURCES[req.reason];
  if (source === undefined) throw new AppError('INVALID_INPUT', `unknown reason: ${req.reason}`);
  if (req.amountMicrocents <= 0n) throw new AppError('INVALID_INPUT', 'the amount must be positive');
  if (!req.cause) throw new AppError('INVALID_INPUT', 'a cause is required');
  const { owner, key } = await findTarget(ctx, principal, req);
  const granted = await withTransaction(ctx.pool, async (tx) => {
    const { id } = await openAccount(tx, owner, key);
    await lockAccounts(tx, [id]);
    const applied = await insertTransfer(tx, {
      debit: source,
      credit: id,
      amountMicrocents: req.amountMicrocents,
      kind: req.reason,
      cause: req.cause,
    });
    const account = (await lockAccounts(tx, [id])).get(id);
    return { balanceMicrocents: (account?.credits ?? 0n) - (account?.debits ?? 0n), applied };
  });
  ctx.subjects.dropAccount(owner);
  if (granted.applied) {
    const { reason, amountMicrocents, cause } = req;
    const fields = { account_id: owner, credited: key.kind, credited_id: key.refId, reason, cause };
    ctx.logger.info({ ...fields, amount_microcents: Number(amountMicrocents) }, 'credit granted');
  }
  return granted;
}

async function findTarget(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  { target }: GrantCreditRequest,
): Promise<{ owner: string; key: AccountKey }> {
  if (target.case === 'account')
    return { owner: principal.accountId, key: { kind: 'owner', refId: principal.accountId } };
  if (target.case === undefined) throw new AppError('INVALID_INPUT', 'a target is required');
  const { id, accountId } = await findCustomer(ctx, principal.projectId, { case: 'id', value: target.value });
  if (target.case === 'customerId') return { owner: accountId, key: { kind: 'wallet', refId: id } };
  return { owner: accountId, key: { kind: 'owner', refId: accountId } };
}
