import { invariant } from '@tollgate/errors';
import { z } from 'zod';
import type { ConnectionMode } from './connections/connection.js';
import type { Price, UsedUnits } from './price.js';
import { LIMIT_ROLES, type LimitAccount, type LimitRole } from './subject.js';

/** The part of a hold that reserves an amount of one limit. */
export interface HoldLeg extends LimitAccount {
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
  /** The most that the provider may charge for uses of its own tools; absent: nothing. */
  feeMicrocents?: bigint | undefined;
  /** Connections of the project itself may serve the request; `only`: no others, so that the account has no provider cost. */
  ownConnections?: ConnectionMode | undefined;
  /** Ledger accounts of limits that apply and hold nothing yet; an extension may draw on them. */
  spare?: Partial<Record<LimitRole, string>> | undefined;
  /** Later model calls of the turn, by number. */
  extensions?: Record<string, HoldExtension>;
}

/** The addition of a later model call to a hold. */
export interface HoldExtension {
  inputTokens: number;
  outputTokens: number;
  feeMicrocents?: string | undefined;
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
    feeMicrocents: extensions.reduce((sum, e) => sum + BigInt(e.feeMicrocents ?? 0), terms.feeMicrocents ?? 0n),
  };
}

/** Sums the held money over all limits. */
export function heldMicrocents(legs: readonly HoldLeg[]): bigint {
  return legs.reduce((sum, leg) => (leg.role === 'quota' ? sum : sum + leg.amount), 0n);
}

/** Returns the limits that apply to a hold, including those without a leg. */
export function applicableLimits({ legs, terms }: Pick<Hold, 'legs' | 'terms'>): Partial<Record<LimitRole, bigint>> {
  const limits: Partial<Record<LimitRole, bigint>> = {};
  for (const role of LIMIT_ROLES) {
    const account = terms.spare?.[role];
    if (account !== undefined) limits[role] = BigInt(account);
  }
  for (const leg of legs) limits[leg.role] = leg.account;
  return limits;
}

/** Returns the limits without a leg; undefined if there are none. */
export function unheldLimits(
  limits: Partial<Record<LimitRole, bigint>>,
  legs: readonly HoldLeg[],
): HoldSnapshot['spare'] {
  let spare: HoldSnapshot['spare'];
  for (const role of LIMIT_ROLES) {
    const account = limits[role];
    if (account === undefined || legs.some((leg) => leg.role === role)) continue;
    spare ??= {};
    spare[role] = account.toString();
  }
  return spare;
}

/** Returns the hold without legs and spare limits of some roles. */
export function withoutRoles(
  { legs, terms }: Hold,
  isDropped: (role: LimitRole) => boolean,
): Pick<Hold, 'legs' | 'terms'> {
  const spare: NonNullable<HoldSnapshot['spare']> = {};
  for (const role of LIMIT_ROLES) {
    const account = terms.spare?.[role];
    if (account !== undefined && !isDropped(role)) spare[role] = account;
  }
  return { legs: legs.filter((leg) => !isDropped(leg.role)), terms: { ...terms, spare } };
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
    customerPrice: terms.customerPrice && toStored(terms.customerPrice),
    providerPrice: toStored(terms.providerPrice),
    feeMicrocents: terms.feeMicrocents?.toString(),
    roles: legs.map((leg) => leg.role),
  });
}

const storedPrice = z.object({
  inputPerMillionCents: z.string(),
  outputPerMillionCents: z.string(),
  perImageCents: z.string(),
  cachedInputPerMillionCents: z.string().optional(),
  bound: z.object({ inputPerMillionCents: z.string(), outputPerMillionCents: z.string() }).optional(),
  feeMarkup: z.string().optional(),
});

const storedExtension = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  feeMicrocents: z.string().optional(),
  heldMicrocents: z.string(),
});

const role = z.enum(LIMIT_ROLES);

/** The `terms` column. Members that only a newer version knows are kept: this version may write the row again. */
const storedTerms = z.looseObject({
  publicRequestId: z.string(),
  projectId: z.string(),
  customerId: z.string().optional(),
  customerExternalId: z.string().optional(),
  keyId: z.string().optional(),
  tierId: z.string().optional(),
  tierCode: z.string().optional(),
  modelId: z.string(),
  customerPrice: storedPrice.optional(),
  providerPrice: storedPrice,
  windowStartMs: z.number(),
  inputTokensEstimate: z.number(),
  maxOutputTokens: z.number(),
  images: z.number(),
  feeMicrocents: z.string().optional(),
  ownConnections: z.enum(['prefer', 'only']).optional(),
  spare: z.partialRecord(role, z.string()).optional(),
  extensions: z.record(z.string(), storedExtension).optional(),
  roles: z.array(role),
});

/** @throws Error naming the hold if its terms do not match the schema */
export function holdFromRow(row: {
  request_id: string;
  owner_account_id: string;
  revision: number;
  terms: string;
  account_ids: bigint[];
  amounts: bigint[];
}): Hold {
  const parsed = storedTerms.safeParse(JSON.parse(row.terms));
  if (!parsed.success) throw new Error(`terms of hold ${row.request_id} are invalid`, { cause: parsed.error });
  const { roles, publicRequestId, customerPrice, providerPrice, feeMicrocents, ...terms } = parsed.data;
  return {
    holdId: row.request_id,
    ownerAccountId: row.owner_account_id,
    revision: row.revision,
    terms: {
      ...terms,
      requestId: publicRequestId,
      customerId: terms.customerId,
      customerExternalId: terms.customerExternalId,
      keyId: terms.keyId,
      tierId: terms.tierId,
      tierCode: terms.tierCode,
      customerPrice: customerPrice && priceFromStored(customerPrice),
      providerPrice: priceFromStored(providerPrice),
      ...(feeMicrocents !== undefined && { feeMicrocents: BigInt(feeMicrocents) }),
    },
    legs: row.account_ids.map((account, i) => toLeg(account, roles[i], row.amounts[i])),
  };
}

function toLeg(account: bigint, role: LimitRole | undefined, amount: bigint | undefined): HoldLeg {
  invariant(role !== undefined && amount !== undefined, 'a hold has a role and an amount for each of its accounts');
  return { account, role, amount };
}

function toStored(price: Price): z.output<typeof storedPrice> {
  return {
    inputPerMillionCents: price.inputPerMillionCents.toString(),
    outputPerMillionCents: price.outputPerMillionCents.toString(),
    perImageCents: price.perImageCents.toString(),
    ...(price.cachedInputPerMillionCents !== undefined && {
      cachedInputPerMillionCents: price.cachedInputPerMillionCents.toString(),
    }),
    ...(price.bound && {
      bound: {
        inputPerMillionCents: price.bound.inputPerMillionCents.toString(),
        outputPerMillionCents: price.bound.outputPerMillionCents.toString(),
      },
    }),
    ...(price.feeMarkup && { feeMarkup: price.feeMarkup.toString() }),
  };
}

function priceFromStored(stored: z.output<typeof storedPrice>): Price {
  return {
    inputPerMillionCents: BigInt(stored.inputPerMillionCents),
    outputPerMillionCents: BigInt(stored.outputPerMillionCents),
    perImageCents: BigInt(stored.perImageCents),
    ...(stored.cachedInputPerMillionCents !== undefined && {
      cachedInputPerMillionCents: BigInt(stored.cachedInputPerMillionCents),
    }),
    ...(stored.bound && {
      bound: {
        inputPerMillionCents: BigInt(stored.bound.inputPerMillionCents),
        outputPerMillionCents: BigInt(stored.bound.outputPerMillionCents),
      },
    }),
    ...(stored.feeMarkup !== undefined && { feeMarkup: BigInt(stored.feeMarkup) }),
  };
}
