import type { Price, UsedUnits } from './price.js';
import type { LimitRole } from './subject.js';

/** The part of a hold that reserves an amount of one limit. */
export interface HoldLeg {
  role: LimitRole;
  account: bigint;
  /** In microcents; in units for the quota. */
  amount: bigint;
}

/** Stored with a hold: everything that its settlement and its events need, even if prices or tiers change later. */
export interface HoldSnapshot {
  /** As the client knows the request; the hold's own id is never the client's. */
  requestId: string;
  projectId: string;
  customerId: string | undefined;
  customerExternalId: string | undefined;
  keyId: string | undefined;
  tierId: string | undefined;
  tierCode: string | undefined;
  modelId: string;
  customerPrice: Price | undefined;
  providerPrice: Price;
  windowStartMs: number;
  inputTokensEstimate: number;
  maxOutputTokens: number;
  images: number;
  /** Ledger accounts of limits that apply and hold nothing yet; an extension may draw on them. */
  spare?: Partial<Record<LimitRole, string>> | undefined;
  /** Later model calls of the turn, by number. */
  extensions?: Record<string, HoldExtension>;
}

/** The addition of a later model call to a hold. */
export interface HoldExtension {
  inputTokens: number;
  outputTokens: number;
  /** The hold's total after the extension, returned to repeated calls. */
  heldMicrocents: string;
}

export interface Hold {
  holdId: string;
  ownerAccountId: string;
  /** Incremented by every change of the hold's legs. */
  revision: number;
  terms: HoldSnapshot;
  legs: readonly HoldLeg[];
}

/** Returns the maximum usage that a hold covers: the first model call and all extensions. */
export function heldUnits(terms: HoldSnapshot): UsedUnits {
  const extensions = Object.values(terms.extensions ?? {});
  return {
    inputTokens: BigInt(extensions.reduce((sum, e) => sum + e.inputTokens, terms.inputTokensEstimate)),
    outputTokens: BigInt(extensions.reduce((sum, e) => sum + e.outputTokens, terms.maxOutputTokens)),
    images: BigInt(terms.images),
  };
}

/** Sums the held money over all limits. */
export function heldMicrocents(legs: readonly HoldLeg[]): bigint {
  return legs.reduce((sum, leg) => (leg.role === 'quota' ? sum : sum + leg.amount), 0n);
}

/** Returns the limits that apply to a hold, including those without a leg. */
export function applicableLimits({ legs, terms }: Pick<Hold, 'legs' | 'terms'>): Partial<Record<LimitRole, bigint>> {
  const limits: Partial<Record<LimitRole, bigint>> = {};
  for (const [role, account] of Object.entries(terms.spare ?? {})) limits[role as LimitRole] = BigInt(account);
  for (const leg of legs) limits[leg.role] = leg.account;
  return limits;
}

/** Returns the limits without a leg; undefined if there are none. */
export function unheldLimits(
  limits: Partial<Record<LimitRole, bigint>>,
  legs: readonly HoldLeg[],
): HoldSnapshot['spare'] {
  const spare = Object.entries(limits).filter(([role]) => !legs.some((leg) => leg.role === role));
  if (spare.length === 0) return undefined;
  return Object.fromEntries(spare.map(([role, account]) => [role, account.toString()]));
}

/**
 * States of a hold, as stored: `open` → `posted` (usage reported), `released` (nothing used) or `expired` (verdict without a
 * report). `expired` → `late` when a late report arrives. No other transitions exist.
 */
export const HOLD_STATES = { open: 0, posted: 1, released: 2, expired: 3, late: 4 } as const;
export type HoldState = (typeof HOLD_STATES)[keyof typeof HOLD_STATES];

/**
 * Returns the terms of a tombstone: a hold that was released before its admission arrived. No catalog model has the empty
 * id.
 */
export function tombstoneTerms(projectId: string): HoldSnapshot {
  return {
    requestId: '',
    projectId,
    customerId: undefined,
    customerExternalId: undefined,
    keyId: undefined,
    tierId: undefined,
    tierCode: undefined,
    modelId: '',
    customerPrice: undefined,
    providerPrice: { inputPerMillionCents: 0n, outputPerMillionCents: 0n, perImageCents: 0n },
    windowStartMs: 0,
    inputTokensEstimate: 0,
    maxOutputTokens: 0,
    images: 0,
  };
}

/** JSON for the `terms` column; bigint prices as strings. The column's name for the client's id is `publicRequestId`. */
export function termsToJson(terms: HoldSnapshot, legs: readonly HoldLeg[]): string {
  return JSON.stringify({
    ...terms,
    requestId: undefined,
    publicRequestId: terms.requestId,
    customerPrice: terms.customerPrice && storedPrice(terms.customerPrice),
    providerPrice: storedPrice(terms.providerPrice),
    roles: legs.map((leg) => leg.role),
  });
}

export function holdFromRow(row: {
  request_id: string;
  owner_account_id: string;
  revision: number;
  terms: string;
  account_ids: bigint[];
  amounts: bigint[];
}): Hold {
  const { roles, publicRequestId, ...terms } = JSON.parse(row.terms) as Omit<
    HoldSnapshot,
    'requestId' | 'customerPrice' | 'providerPrice'
  > & {
    roles: LimitRole[];
    publicRequestId: string;
    customerPrice?: StoredPrice;
    providerPrice: StoredPrice;
  };
  return {
    holdId: row.request_id,
    ownerAccountId: row.owner_account_id,
    revision: row.revision,
    terms: {
      ...terms,
      requestId: publicRequestId,
      customerPrice: terms.customerPrice && priceFromStored(terms.customerPrice),
      providerPrice: priceFromStored(terms.providerPrice),
    },
    legs: row.account_ids.map((account, i) => ({
      account,
      role: roles[i] as LimitRole,
      amount: row.amounts[i] as bigint,
    })),
  };
}

type StoredPrice = Record<keyof Price, string>;

function storedPrice(price: Price): StoredPrice {
  return {
    inputPerMillionCents: price.inputPerMillionCents.toString(),
    outputPerMillionCents: price.outputPerMillionCents.toString(),
    perImageCents: price.perImageCents.toString(),
  };
}

function priceFromStored(stored: StoredPrice): Price {
  return {
    inputPerMillionCents: BigInt(stored.inputPerMillionCents),
    outputPerMillionCents: BigInt(stored.outputPerMillionCents),
    perImageCents: BigInt(stored.perImageCents),
  };
}
