import type { WithdrawCreditRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { microcentsToCentsFloor } from '@tollgate/money';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { splitWallet } from '../../domain/wallet-split.js';
import { findAccount, lockAccounts } from '../../store/accounts.js';
import { pendingRefundCents } from '../../store/payments/payment-refunds.js';
import { hasTransfer, insertTransfer } from '../../store/transfers.js';
import { findCustomer } from '../customers/find-customer.js';
import { readOrigins } from './read-origins.js';

const KIND = 'credit_withdrawn';

/** Takes granted credit back from a wallet, never paid money. Repeating the same cause changes nothing. */
export async function withdrawCredit(
  ctx: Pick<Context, 'logger' | 'pool' | 'subjects'>,
  { projectId }: Principal,
  req: WithdrawCreditRequest,
): Promise<{ balanceMicrocents: bigint; applied: boolean }> {
  if (req.amountMicrocents <= 0n) throw new AppError('INVALID_INPUT', 'the amount must be positive');
  if (!req.cause) throw new AppError('INVALID_INPUT', 'a cause is required');
  const { id, accountId } = await findCustomer(ctx, projectId, { case: 'id', value: req.customerId });
  const withdrawn = await withTransaction(ctx.pool, (tx) => withdraw(tx, id, req));
  ctx.subjects.dropAccount(accountId);
  if (withdrawn.applied) {
    const { amountMicrocents, cause } = req;
    const fields = { account_id: accountId, customer_id: id, cause };
    ctx.logger.info({ ...fields, amount_microcents: Number(amountMicrocents) }, 'credit withdrawn');
  }
  return withdrawn;
}

async function withdraw(
  tx: Tx,
  customerId: string,
  { amountMicrocents, cause }: WithdrawCreditRequest,
): Promise<{ balanceMicrocents: bigint; applied: boolean }> {
  const wallet = await findAccount(tx, { kind: 'wallet', refId: customerId });
  if (!wallet) throw new AppError('CONFLICT', 'the customer has no granted credit');
  const locked = (await lockAccounts(tx, [wallet.id])).get(wallet.id)!;
  const origins = await readOrigins(tx, locked, await pendingRefundCents(tx, wallet.id));
  if (await hasTransfer(tx, KIND, cause)) return { balanceMicrocents: origins.balance, applied: false };
  const { granted } = splitWallet(origins);
  if (amountMicrocents > granted) {
    const cents = microcentsToCentsFloor(granted);
    throw new AppError(
      'CONFLICT',
      `at most ${cents} cents of granted credit can be withdrawn; the rest of the wallet is paid money or in use`,
    );
  }
  const sides = { debit: wallet.id, credit: COUNTER_ACCOUNTS.promo };
  const applied = await insertTransfer(tx, { ...sides, amountMicrocents, kind: KIND, cause });
  return { balanceMicrocents: origins.balance - (applied ? amountMicrocents : 0n), applied };
}
