import type { BillingWindow } from './billing-window.js';
import type { Price } from './price.js';

/**
 * Limits that a request can be held against, in the order in which a refusal names them. `owner` is the prepaid balance,
 * `daily_cap` what an account on granted credit may spend in a day, `quota` its request-weighted units in a month.
 */
export const LIMIT_ROLES = ['allowance', 'wallet', 'key', 'owner', 'daily_cap', 'quota'] as const;
export type LimitRole = (typeof LIMIT_ROLES)[number];

/** Whether the customer pays out of it; the rest is the owner's side. */
export function isCustomers(role: LimitRole): boolean {
  return role === 'allowance' || role === 'wallet';
}

/** A tier's price of a model; without a price per image the catalog's applies. */
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
 * Everything about who asks that an admission needs besides the balances: read once, kept for a short time, dropped
 * when a customer, tier or subscription changes. Balances are never part of it.
 */
export interface Subject {
  ownerAccountId: string;
  projectId: string;
  customer: { id: string; externalId: string } | undefined;
  keyId: string | undefined;
  /** False where only the owner and the key pay: no customer, or a project that bills elsewhere. */
  chargesCustomer: boolean;
  tier: SubjectTier | undefined;
  subscription: SubjectSubscription | undefined;
  /** The customer's billing window. */
  window: BillingWindow;
  /** When one of the limits begins anew and the subject has to be read again. */
  validUntilMs: number;
  /** Ledger account per limit that applies. */
  accounts: Partial<Record<LimitRole, bigint>>;
}
