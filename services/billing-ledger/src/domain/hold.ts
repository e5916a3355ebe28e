import type { Price } from './price.js';
import type { LimitRole } from './subject.js';

/** Part of a hold: so much of one limit. */
export interface HoldLeg {
  role: LimitRole;
  account: bigint;
  amountMicrocents: bigint;
}

/** Stored with a hold; all that its settlement and its events need, whatever changes in the meantime. */
export interface HoldTerms {
  /** As the client knows the request; the hold's own id is never the client's. */
  publicRequestId: string;
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
}

export interface Hold {
  requestId: string;
  ownerAccountId: string;
  terms: HoldTerms;
  legs: readonly HoldLeg[];
}

export const HOLD_STATES = { open: 0, posted: 1, released: 2, expired: 3, late: 4 } as const;

/** JSON for the `terms` column; bigint prices as strings. */
export function termsToJson(terms: HoldTerms, legs: readonly HoldLeg[]): string {
  return JSON.stringify({
    ...terms,
    customerPrice: terms.customerPrice && storedPrice(terms.customerPrice),
    providerPrice: storedPrice(terms.providerPrice),
    roles: legs.map((leg) => leg.role),
  });
}

export function holdFromRow(row: {
  request_id: string;
  owner_account_id: string;
  terms: string;
  account_ids: bigint[];
  amounts: bigint[];
}): Hold {
  const { roles, ...terms } = JSON.parse(row.terms) as Omit<HoldTerms, 'customerPrice' | 'providerPrice'> & {
    roles: LimitRole[];
    customerPrice?: StoredPrice;
    providerPrice: StoredPrice;
  };
  return {
    requestId: row.request_id,
    ownerAccountId: row.owner_account_id,
    terms: {
      ...terms,
      customerPrice: terms.customerPrice && priceFromStored(terms.customerPrice),
      providerPrice: priceFromStored(terms.providerPrice),
    },
    legs: row.account_ids.map((account, i) => ({
      account,
      role: roles[i] as LimitRole,
      amountMicrocents: row.amounts[i] as bigint,
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
