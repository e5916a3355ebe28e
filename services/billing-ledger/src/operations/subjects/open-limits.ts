import { randomUUID } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { centsToMicrocents } from '@tollgate/money';
import { type Tx, withTransaction } from '@tollgate/postgres';
import { appliedLimit, type ConfiguredLimits, calendarDay, quotaWindow } from '../../domain/account-limits.js';
import type { BillingWindow } from '../../domain/billing-window.js';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import type { Subject } from '../../domain/subject.js';
import { type AccountKey, lockAccounts, openAccount, setLimit } from '../../store/accounts.js';
import type { Pool } from '../../store/database.js';
import { markThresholds } from '../../store/reports/usage-thresholds.js';
import { readAccountLimits } from '../../store/subjects/account-limits.js';
import type { SubjectRow } from '../../store/subjects/subjects.js';
import { insertTransfer } from '../../store/transfers.js';

export interface LimitsInput {
  /** Undefined: the request charges no customer. */
  row: SubjectRow | undefined;
  window: BillingWindow;
  nowMs: number;
  configured: ConfiguredLimits;
}

/**
 * Opens a ledger account for every limit that applies. Idempotent: credits the limit's amount once, and adjusts it when the
 * limit changes.
 */
export async function openLimits(
  pool: Pool,
  principal: Principal,
  { row, window, nowMs, configured }: LimitsInput,
): Promise<Subject['accounts']> {
  return {
    ...(row?.tier && (await openCustomerLimits(pool, principal.accountId, { ...row, tier: row.tier }, window))),
    ...(await openKeyLimit(pool, principal)),
    ...(await openAccountLimits(pool, principal.accountId, nowMs, configured)),
  };
}

async function openCustomerLimits(
  pool: Pool,
  owner: string,
  { customerId, tier }: SubjectRow & { tier: NonNullable<SubjectRow['tier']> },
  window: BillingWindow,
): Promise<Subject['accounts']> {
  const accounts: Subject['accounts'] = {};
  if (tier.billingMode === 'paygo' || tier.overageEnabled) {
    accounts.wallet = (await openAccount(pool, owner, { kind: 'wallet', refId: customerId })).id;
  }
  if (tier.billingMode === 'subscription') {
    const limit = tier.spendLimitCents === undefined ? undefined : centsToMicrocents(tier.spendLimitCents);
    accounts.allowance = await openLimit(pool, owner, { kind: 'allowance', refId: customerId, window }, limit);
  }
  return accounts;
}

async function openKeyLimit(pool: Pool, principal: Principal): Promise<Subject['accounts']> {
  const { accountId, keyId, keySpendLimitMicrocents: limit } = principal;
  if (!keyId || limit === undefined) return {};
  return { key: await openLimit(pool, accountId, { kind: 'key', refId: keyId }, limit) };
}

async function openAccountLimits(
  pool: Pool,
  owner: string,
  nowMs: number,
  configured: ConfiguredLimits,
): Promise<Subject['accounts']> {
  const prepaid = await openAccount(pool, owner, { kind: 'owner', refId: owner });
  const accounts: Subject['accounts'] = { owner: prepaid.id };
  const { overrides, isPaying } = await readAccountLimits(pool, owner, prepaid.id);
  const capCents = isPaying ? undefined : appliedLimit(overrides.daily_cap, configured.dailyCapCents);
  if (capCents !== undefined) {
    const key: AccountKey = { kind: 'daily_cap', refId: owner, window: calendarDay(nowMs) };
    accounts.daily_cap = await openLimit(pool, owner, key, centsToMicrocents(capCents));
  }
  const units = appliedLimit(overrides.quota, configured.quotaUnits);
  if (units !== undefined) {
    const key: AccountKey = { kind: 'quota', refId: owner, window: quotaWindow(nowMs) };
    accounts.quota = await openLimit(pool, owner, key, units);
  }
  return accounts;
}

/** Opens an account with `limit` credited in total; undefined = usage is counted and not limited. */
async function openLimit(pool: Pool, owner: string, key: AccountKey, limit: bigint | undefined): Promise<bigint> {
  const account = await openAccount(pool, owner, key, limit !== undefined);
  const isRight =
    account.is_enforced === (limit !== undefined) && (limit === undefined || account.limit_microcents === limit);
  const source = key.kind === 'quota' ? COUNTER_ACCOUNTS.quotaGrant : COUNTER_ACCOUNTS.limitGrant;
  const endMs = key.window?.endMs;
  const hasMoved = endMs !== undefined && account.window_end?.getTime() !== endMs;
  if (!isRight || hasMoved) {
    const movedEndMs = hasMoved ? endMs : undefined;
    await withTransaction(pool, (tx) => adjustLimit(tx, account.id, { limit, source, movedEndMs }));
  }
  return account.id;
}

interface LimitChange {
  limit: bigint | undefined;
  source: bigint;
  /** The window's new end, after a tier change to another period. */
  movedEndMs: number | undefined;
}

/** Books limit changes as transfers, so that the account's sums always equal those of its transfers. */
async function adjustLimit(tx: Tx, id: bigint, { limit, source, movedEndMs }: LimitChange): Promise<void> {
  const account = (await lockAccounts(tx, [id])).get(id);
  if (!account) throw new AppError('INTERNAL_ERROR', 'the limit account does not exist');
  const delta = limit === undefined ? 0n : limit - (account.limit_microcents ?? 0n);
  const cause = randomUUID();
  if (delta > 0n)
    await insertTransfer(tx, { debit: source, credit: id, amountMicrocents: delta, kind: 'limit_raised', cause });
  if (delta < 0n)
    await insertTransfer(tx, { debit: id, credit: source, amountMicrocents: -delta, kind: 'limit_lowered', cause });
  await setLimit(tx, id, limit, movedEndMs);
  // Past usage may reach thresholds of a lower limit, and no later settlement may mark them.
  await markThresholds(tx, [id], movedEndMs !== undefined);
}
