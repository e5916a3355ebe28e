import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  BalanceEntrySchema,
  GetAccountBalanceResponseSchema,
  GetCustomerBalanceResponseSchema,
  ListBalanceHistoryRequest,
  ListBalanceHistoryResponseSchema,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { splitWallet } from '../../domain/wallet-split.js';
import { type AccountRow, findAccount, openAccount } from '../../store/accounts.js';
import { type BalanceHistoryRow, balanceHistory } from '../../store/gen/reports/balance-history.js';
import { pendingRefundCents } from '../../store/payments/payment-refunds.js';
import { readOrigins } from '../credit/read-origins.js';
import { findCustomer } from '../customers/find-customer.js';
import { toPage } from './page.js';

const CURRENCY = 'usd';

const REASONS: Record<string, string> = {
  top_up: 'top-up',
  charge_wallet: 'API usage',
  late_wallet: 'API usage',
  refund: 'refund',
  refund_failed: 'refund failed',
  dispute: 'dispute',
  dispute_won: 'dispute won',
  superseded_wallet: 'refund',
  returned_wallet: 'refund',
  promo: 'promo',
  adjustment: 'adjustment',
  credit_withdrawn: 'credit withdrawn',
};

export async function readCustomerBalance(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  customerId: string,
): Promise<MessageInitShape<typeof GetCustomerBalanceResponseSchema>> {
  const wallet = await findWallet(ctx, principal, customerId);
  const origins = await readOrigins(ctx.pool, wallet, await pendingRefundCents(ctx.pool, wallet.id));
  const id = customerId.toLowerCase();
  return {
    customerId: id,
    billingProfileId: id,
    balanceMicrocents: origins.balance,
    reservedMicrocents: origins.held,
    currency: CURRENCY,
    grantedMicrocents: splitWallet(origins).granted,
  };
}

export async function listBalanceHistory(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  req: ListBalanceHistoryRequest,
): Promise<MessageInitShape<typeof ListBalanceHistoryResponseSchema>> {
  const wallet = await findWallet(ctx, principal, req.customerId);
  const { take, skip } = toPage(req);
  const rows = await balanceHistory(ctx.pool, { accountId: wallet.id, take: take + 1, skip });
  return { entries: rows.slice(0, take).map(toBalanceEntry), hasMore: rows.length > take };
}

export async function readAccountBalance(
  ctx: Pick<Context, 'config' | 'pool'>,
  principal: Principal,
): Promise<MessageInitShape<typeof GetAccountBalanceResponseSchema>> {
  const account = await openAccount(ctx.pool, principal.accountId, { kind: 'owner', refId: principal.accountId });
  return {
    balanceMicrocents: account.credits - account.debits,
    reservedMicrocents: account.held,
    currency: CURRENCY,
    lowBalanceThresholdCents: BigInt(ctx.config.lowBalanceThresholdCents),
  };
}

/** Customers on PAYGO and overage tiers and those with a promo grant have a wallet. @throws AppError INVALID_INPUT (DECISIONS 3) */
async function findWallet(ctx: Pick<Context, 'pool'>, principal: Principal, customerId: string): Promise<AccountRow> {
  const customer = await findCustomer(ctx, principal.projectId, { case: 'id', value: customerId });
  const tier = customer.subscription?.tier;
  const key = { kind: 'wallet', refId: customer.id } as const;
  if (tier && (tier.billingMode === 'paygo' || tier.overageEnabled))
    return openAccount(ctx.pool, principal.accountId, key);
  const wallet = await findAccount(ctx.pool, key);
  if (!wallet) throw new AppError('INVALID_INPUT', 'the customer has no wallet: the tier is not pay-as-you-go');
  return wallet;
}

function toBalanceEntry(row: BalanceHistoryRow): MessageInitShape<typeof BalanceEntrySchema> {
  const reason = REASONS[row.kind] ?? row.kind;
  return {
    id: row.id.toString(),
    direction: row.is_credit ? 'credit' : 'debit',
    amountMicrocents: row.amount,
    reason,
    occurredAt: timestampFromDate(row.occurred_at),
    balanceAfterMicrocents: row.balance_after,
    requestId: row.request_id ?? '',
    description: row.model_id ? `${reason}: ${row.model_id}` : reason,
    modelId: row.model_id ?? '',
    ...(row.input_tokens !== null && { inputTokens: row.input_tokens }),
    ...(row.output_tokens !== null && { outputTokens: row.output_tokens }),
  };
}
