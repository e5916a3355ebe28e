import { randomUUID } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { centsToMicrocents } from '@tollgate/money';
import { type Tx, withTransaction } from '@tollgate/postgres';
import { ReadCache } from '@tollgate/runtime';
import { isUuid } from '@tollgate/runtime/uuid';
import { type BillingWindow, calendarMonth, currentWindow } from '../../domain/billing-window.js';
import { CONNECTIONS_PER_PROJECT_MAX } from '../../domain/connections/connection.js';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import {
  appliedLimit,
  type ConfiguredLimits,
  calendarDay,
  quotaWindow,
  type Subject,
  toOwnModels,
} from '../../domain/subject.js';
import { type AccountKey, lockAccounts, openAccount, setLimit } from '../../store/accounts.js';
import { readConnectedModels } from '../../store/connections/connections.js';
import type { Pool } from '../../store/database.js';
import { markThresholds } from '../../store/reports/usage-thresholds.js';
import { readAccountLimits, readSubject, type SubjectRow } from '../../store/subjects/subjects.js';
import { insertTransfer } from '../../store/transfers.js';

/** How stale a subject may be on a replica that did not make the change itself. */
const STALE_MS = 5_000;
const SUBJECTS_CACHED_MAX = 20_000;

/**
 * Caches subjects by principal. Balances are never cached, so a stale entry can at worst apply a tier or a subscription status
 * that changed seconds ago. Changes made by this process drop entries immediately.
 */
export class SubjectCache {
  readonly #subjects: ReadCache<Subject>;
  readonly #load: (principal: Principal) => Promise<Subject>;

  constructor(load: (principal: Principal) => Promise<Subject>, nowMs: () => number) {
    const isCurrent = ({ validUntilMs }: Subject): boolean => validUntilMs > nowMs();
    this.#subjects = new ReadCache({ sizeMax: SUBJECTS_CACHED_MAX, staleMs: STALE_MS, isCurrent });
    this.#load = load;
  }

  get(principal: Principal): Subject | Promise<Subject> {
    const { accountId, projectId, customerId, keyId, keySpendLimitMicrocents, byob } = principal;
    const key = `${accountId}/${projectId}/${customerId}/${keyId}/${keySpendLimitMicrocents ?? ''}/${byob}`;
    return this.#subjects.get(key, () => this.#load(principal));
  }

  dropCustomer(customerId: string): void {
    this.#subjects.deleteWhere((key) => key.includes(`/${customerId}/`));
  }

  dropProject(projectId: string): void {
    this.#subjects.deleteWhere((key) => key.includes(`/${projectId}/`));
  }

  dropAccount(accountId: string): void {
    this.#subjects.deleteWhere((key) => key.startsWith(`${accountId}/`));
  }
}

/** Loads the subject of a request and opens a ledger account for every limit that applies to it. */
export async function loadSubject(
  pool: Pool,
  principal: Principal,
  nowMs: number,
  configured: ConfiguredLimits,
): Promise<Subject> {
  const row = principal.customerId ? await readSubject(pool, principal.projectId, principal.customerId) : undefined;
  if (principal.customerId && !row) throw new AppError('NOT_FOUND', 'customer not found');
  const chargesCustomer = row !== undefined && !principal.byob;
  const window = findWindow(row, nowMs);
  const [accounts, connections] = await Promise.all([
    openLimits(pool, principal, { row: chargesCustomer ? row : undefined, window, nowMs, configured }),
    isUuid(principal.projectId) ? readConnectedModels(pool, principal.projectId, CONNECTIONS_PER_PROJECT_MAX) : [],
  ]);
  return {
    ownerAccountId: principal.accountId,
    projectId: principal.projectId,
    customer: row && { id: row.customerId, externalId: row.externalId, isBlocked: row.isBlocked },
    keyId: principal.keyId || undefined,
    chargesCustomer,
    tier: row?.tier,
    subscription: row?.subscription,
    window,
    // A month ends with a day, so this also covers the quota's window.
    validUntilMs: Math.min(window.endMs, calendarDay(nowMs).endMs),
    accounts,
    ...(connections.length > 0 && { ownModels: toOwnModels(connections) }),
  };
}

export function findWindow(row: SubjectRow | undefined, nowMs: number): BillingWindow {
  return row?.subscription ? currentWindow(row.subscription.schedule, nowMs) : calendarMonth(nowMs);
}

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
