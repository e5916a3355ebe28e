import type { BillingWindow } from './billing-window.js';
import type { ConnectionMode } from './connections/connection.js';
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
