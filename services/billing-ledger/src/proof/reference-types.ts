import type { Answer, Used } from './actions.js';
import type { Price } from './reference-prices.js';

export type Role = 'allowance' | 'wallet' | 'key' | 'owner' | 'daily_cap' | 'quota';
export const ROLES: Role[] = ['allowance', 'wallet', 'key', 'owner', 'daily_cap', 'quota'];
export const CUSTOMERS = new Set<Role>(['allowance', 'wallet']);
export const CENT = 1_000_000n;
export const DAY_MS = 86_400_000;
export const NOTHING: Used = { input: 0n, output: 0n, images: 0n };

export interface ReferenceAccount {
  isEnforced: boolean;
  limit: bigint | undefined;
  credits: bigint;
  debits: bigint;
  held: bigint;
}

export interface ReferenceEntry {
  kind: string;
  /** Empty if the ledger generates the cause. */
  cause: string;
  debit: string;
  credit: string;
  amount: bigint;
}

export interface Part {
  role: Role;
  account: string;
  amount: bigint;
  /** The final charge. */
  taken: bigint;
}

export interface ReferenceHold {
  state: 'open' | 'posted' | 'released' | 'expired' | 'late';
  customer: string | undefined;
  windowMs: number;
  customerPrice: Price | undefined;
  providerPrice: Price;
  limits: Map<Role, string>;
  parts: Part[];
  /** The maximum usage of its model calls. */
  most: Used;
  extensions: Map<number, Answer>;
  maxOutput: number;
  progress: Used;
  used: Used;
  customerPays: bigint;
  ownerPays: bigint;
  overrun: bigint;
  unreconciled: bigint;
}

export interface Tier {
  mode: 'subscription' | 'paygo';
  limitCents: bigint | undefined;
  hasOverage: boolean;
}

export interface Subscription {
  tier: string;
  status: string;
  /** The start of the first period; later ones start on the same day of the month. */
  startMs: number;
  /** Where usage of the first period counts from: a tier change does not start at zero. */
  windowMs: number;
}

export interface ReferenceUsage {
  requests: bigint;
  tokens: bigint;
  images: bigint;
  customer: bigint;
  provider: bigint;
  overrun: bigint;
  unreconciled: bigint;
}

export const NO_USAGE: ReferenceUsage = {
  requests: 0n,
  tokens: 0n,
  images: 0n,
  customer: 0n,
  provider: 0n,
  overrun: 0n,
  unreconciled: 0n,
};

export const CHARGES: Record<Role, { kind: string; to: string }> = {
  allowance: { kind: 'charge_allowance', to: 'customer_charges' },
  wallet: { kind: 'charge_wallet', to: 'customer_charges' },
  key: { kind: 'key_spend', to: 'key_spend' },
  owner: { kind: 'provider_cost', to: 'provider_cost' },
  daily_cap: { kind: 'daily_spend', to: 'daily_spend' },
  quota: { kind: 'quota_use', to: 'quota_use' },
};

export function toUsage(hold: ReferenceHold): ReferenceUsage {
  return {
    requests: isNothing(hold.used) ? 0n : 1n,
    tokens: hold.used.input + hold.used.output,
    images: hold.used.images,
    customer: hold.customerPays,
    provider: hold.ownerPays,
    overrun: hold.overrun,
    unreconciled: hold.unreconciled,
  };
}

export function figures(outcome: string, hold: ReferenceHold): Answer {
  return { outcome, customer: hold.customerPays, owner: hold.ownerPays, overrun: hold.overrun };
}

export function taken(hold: ReferenceHold, roles: ReadonlySet<Role>): bigint {
  return hold.parts.reduce((sum, part) => (roles.has(part.role) ? sum + part.taken : sum), 0n);
}

export function money(parts: readonly Part[]): bigint {
  return parts.reduce((sum, part) => (part.role === 'quota' ? sum : sum + part.amount), 0n);
}

export function isNothing(used: Used): boolean {
  return used.input + used.output + used.images === 0n;
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
