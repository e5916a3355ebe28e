import type { BillingWindow } from './billing-window.js';
import type { Price } from './price.js';

/** Limits that a request can be held against, in the order in which a refusal names them. */
export const LIMIT_ROLES = ['allowance', 'wallet', 'key', 'owner'] as const;
export type LimitRole = (typeof LIMIT_ROLES)[number];

export interface SubjectTier {
  id: string;
  code: string;
  billingMode: 'subscription' | 'paygo';
  isPaid: boolean;
  overageEnabled: boolean;
  /** Prices by catalog id. */
  models: ReadonlyMap<string, Price>;
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
  window: BillingWindow;
  /** Ledger account per limit that applies. */
  accounts: Partial<Record<LimitRole, bigint>>;
}
