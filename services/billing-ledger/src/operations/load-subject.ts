import { randomUUID } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type pg from 'pg';
import { type BillingWindow, calendarMonth, currentPeriod } from '../domain/billing-window.js';
import { COUNTER_ACCOUNTS } from '../domain/counter-accounts.js';
import type { Subject } from '../domain/subject.js';
import { type AccountKey, lockAccounts, openAccount, setLimit } from '../store/accounts.js';
import { readSubject, type SubjectRow } from '../store/subjects.js';
import { insertTransfer } from '../store/transfers.js';

const MICROCENTS_PER_CENT = 1_000_000n;

/**
 * Who asks, with every limit that applies opened as a ledger account. Opening is idempotent: the window's allowance is
 * credited with the tier's limit once, and adjusted when the limit has changed since.
 */
export async function loadSubject(pool: pg.Pool, principal: Principal, nowMs: number): Promise<Subject> {
  const row = principal.customerId ? await readSubject(pool, principal.projectId, principal.customerId) : undefined;
  if (principal.customerId && !row) throw new AppError('NOT_FOUND', 'customer not found');
  const chargesCustomer = row !== undefined && !principal.byob;
  const window = windowOf(row, nowMs);
  const accounts = await openLimits(pool, principal, chargesCustomer ? row : undefined, window);
  return {
    ownerAccountId: principal.accountId,
    projectId: principal.projectId,
    customer: row && { id: row.customerId, externalId: row.externalId },
    keyId: principal.keyId || undefined,
    chargesCustomer,
    tier: row?.tier,
    subscription: row?.subscription,
    window,
    accounts,
  };
}

export function windowOf(row: SubjectRow | undefined, nowMs: number): BillingWindow {
  if (!row?.subscription) return calendarMonth(nowMs);
  return currentPeriod(row.subscription.period, row.tier?.interval ?? 'month', nowMs);
}

async function openLimits(
  pool: pg.Pool,
  principal: Principal,
  row: SubjectRow | undefined,
  window: BillingWindow,
): Promise<Subject['accounts']> {
  const owner = principal.accountId;
  const accounts: Subject['accounts'] = { owner: (await openAccount(pool, owner, { kind: 'owner', refId: owner })).id };
  if (principal.keyId && principal.keySpendLimitMicrocents !== undefined) {
    const limit = principal.keySpendLimitMicrocents;
    accounts.key = await openLimit(pool, owner, { kind: 'key', refId: principal.keyId }, limit);
  }
  if (!row?.tier) return accounts;
  if (row.tier.billingMode === 'paygo' || row.tier.overageEnabled) {
    accounts.wallet = (await openAccount(pool, owner, { kind: 'wallet', refId: row.customerId })).id;
  }
  if (row.tier.billingMode === 'subscription') {
    const limit = row.tier.spendLimitCents === undefined ? undefined : row.tier.spendLimitCents * MICROCENTS_PER_CENT;
    accounts.allowance = await openLimit(
      pool,
      owner,
      { kind: 'allowance', refId: row.customerId, windowStartMs: window.startMs },
      limit,
    );
  }
  return accounts;
}

/** Opens an account that is worth `limit` in all; `undefined` = nothing is enforced, use is only counted. */
async function openLimit(pool: pg.Pool, owner: string, key: AccountKey, limit: bigint | undefined): Promise<bigint> {
  const account = await openAccount(pool, owner, key, limit !== undefined);
  const isRight =
    account.is_enforced === (limit !== undefined) && (limit === undefined || account.limit_microcents === limit);
  if (!isRight) await withTransaction(pool, (tx) => adjustLimit(tx, account.id, limit));
  return account.id;
}

/** Raising and lowering are journal entries, so that the account's sums stay those of its transfers. */
async function adjustLimit(tx: Tx, id: bigint, limit: bigint | undefined): Promise<void> {
  const account = (await lockAccounts(tx, [id])).get(id);
  if (!account) throw new AppError('INTERNAL_ERROR', 'the limit account is gone');
  const delta = limit === undefined ? 0n : limit - (account.limit_microcents ?? 0n);
  const cause = randomUUID();
  if (delta > 0n)
    await insertTransfer(tx, {
      debit: COUNTER_ACCOUNTS.limitGrant,
      credit: id,
      amountMicrocents: delta,
      kind: 'limit_raised',
      cause,
    });
  if (delta < 0n)
    await insertTransfer(tx, {
      debit: id,
      credit: COUNTER_ACCOUNTS.limitGrant,
      amountMicrocents: -delta,
      kind: 'limit_lowered',
      cause,
    });
  await setLimit(tx, id, limit);
}
