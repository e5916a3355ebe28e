import { type BillingWindow, calendarMonth } from './billing-window.js';
import type { ConnectedModel, ConnectionMode } from './connections/connection.js';
import type { Price } from './price.js';

/**
 * Limits that a request can be held against. `owner` is the prepaid balance, `daily_cap` the daily spend of an account on
 * granted credit, `quota` its request-weighted units per month.
 */
export const LIMIT_ROLES = ['allowance', 'wallet', 'key', 'owner', 'daily_cap', 'quota'] as const;
export type LimitRole = (typeof LIMIT_ROLES)[number];

/** A limit and its ledger account. */
export interface LimitAccount {
  role: LimitRole;
  account: bigint;
}

/** Limits that the customer pays from, in the order of use. All others belong to the owner. */
export const CUSTOMER_ROLES: readonly LimitRole[] = ['allowance', 'wallet'];

export function isCustomerRole(role: LimitRole): boolean {
  return CUSTOMER_ROLES.includes(role);
}

/** A tier's price for a model. Without a price per image, the catalog's applies. */
export type TierPrice = Omit<Price, 'perImageCents'> & { perImageCents: bigint | undefined };

export interface SubjectTier {
  id: string;
  code: string;
  billingMode: 'subscription' | 'paygo';
  isPaid: boolean;
  overageEnabled: boolean;
  /** Prices by catalog id. */
  models: ReadonlyMap<string, TierPrice>;
  defaultModel: string | undefined;
}

export interface SubjectSubscription {
  status: string;
  billingProvider: string | undefined;
  hasProviderSubscription: boolean;
}

/**
 * Who pays for a request, except for balances: read once, cached for a short time, dropped when a customer, tier or
 * subscription changes. Balances are never part of it.
 */
export interface Subject {
  ownerAccountId: string;
  projectId: string;
  customer: { id: string; externalId: string; isBlocked?: boolean } | undefined;
  keyId: string | undefined;
  /** False if only the owner and the key pay: without a customer, or in a project that bills outside of Tollgate. */
  chargesCustomer: boolean;
  tier: SubjectTier | undefined;
  subscription: SubjectSubscription | undefined;
  /** The customer's billing window. */
  window: BillingWindow;
  /** When one of the limits is reset and the subject must be read again. */
  validUntilMs: number;
  /** The ledger account of each limit that applies. */
  accounts: Partial<Record<LimitRole, bigint>>;
  /** The models that connections of the project itself serve, by catalog id; absent for none. */
  ownModels?: ReadonlyMap<string, ConnectionMode>;
}

const DAY_MS = 86_400_000;

/** Limits of accounts without overrides; undefined = no limit. */
export interface ConfiguredLimits {
  /** Cents that an account without a paid top-up may spend per day. */
  dailyCapCents: bigint | undefined;
  /** Request-weighted units per calendar month. */
  quotaUnits: bigint | undefined;
}

/** Returns an account's limit in cents or units; undefined = no limit. A `null` override removes the configured limit. */
export function appliedLimit(override: bigint | null | undefined, configured: bigint | undefined): bigint | undefined {
  if (override === null) return undefined;
  return override ?? configured;
}

/** Returns the day (UTC) to which the cap on granted credit applies. */
export function calendarDay(nowMs: number): BillingWindow {
  const startMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { startMs, endMs: startMs + DAY_MS };
}

/** Returns the month (UTC) to which the quota applies. */
export const quotaWindow = calendarMonth;

/**
 * Returns which connections serve each model that the project's own ones have: `only` if one of them is set to it, because the
 * project then wants its requests to go nowhere else.
 */
export function toOwnModels(
  connections: readonly { mode: ConnectionMode; models: readonly Pick<ConnectedModel, 'modelId'>[] }[],
): ReadonlyMap<string, ConnectionMode> {
  const modes = new Map<string, ConnectionMode>();
  for (const { mode, models } of connections) {
    for (const { modelId } of models) if (modes.get(modelId) !== 'only') modes.set(modelId, mode);
  }
  return modes;
}

/** Limits of the owner in money. */
const PROVIDER_COST_ROLES = ['key', 'owner', 'daily_cap'] as const;

/**
 * Returns the subject of a request that only the project's own connections serve: no limit on provider cost applies, because the
 * owner account is not charged for it.
 */
export function withoutProviderCost(subject: Subject): Subject {
  const accounts = { ...subject.accounts };
  for (const role of PROVIDER_COST_ROLES) delete accounts[role];
  return { ...subject, accounts };
}
