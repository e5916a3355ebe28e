import { reflect } from '@bufbuild/protobuf/reflect';
import {
  type CreateTierRequest,
  CreateTierRequestSchema,
  type UpdateTierRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { createMessage } from '@tollgate/contracts/codec';
import type { PriceSync } from './payments/price-sync.js';

/** The stored fields of a tier. */
export interface StoredTier {
  tierCode: string;
  displayName: string;
  billingMode: string;
  spendLimitCents: bigint | null;
  models: readonly {
    modelId: string;
    isDefault: boolean;
    inputPricePerMillionCents: bigint;
    outputPricePerMillionCents: bigint;
    pricePerImageCents: bigint | null;
    cachedInputPricePerMillionCents: bigint | null;
    feeMarkupPercentage: number | null;
  }[];
  billingProvider: string | null;
  billingPriceRef: string | null;
  priceAmountCents: bigint | null;
  priceCurrency: string | null;
  priceInterval: string | null;
  trialDays: number | null;
  promoCreditsCents: bigint | null;
  customerTokenMaxTtlSeconds: bigint | null;
  rateLimitPerMinute: number | null;
  overageEnabled: boolean;
  isDefault: boolean;
  visibility: string;
  sortOrder: number;
  features: readonly string[];
  planGroup: string | null;
  allowPromotionCodes: boolean;
  priceSync: PriceSync | null;
}

const NOT_PAID = {
  billingProvider: '',
  billingPriceRef: '',
  priceCurrency: '',
  priceInterval: '',
  trialDays: undefined,
  allowPromotionCodes: false,
};

/** Replaces the fields named in `update_mask`. Clearing the price also clears its currency, interval and trial. */
export function mergeTier(before: StoredTier, req: UpdateTierRequest): CreateTierRequest {
  const merged = createMessage(CreateTierRequestSchema, {
    tierCode: before.tierCode,
    displayName: before.displayName,
    billingMode: before.billingMode,
    ...(before.spendLimitCents !== null && { spendLimitCents: before.spendLimitCents }),
    models: before.models.map((m) => ({
      modelId: m.modelId,
      isDefault: m.isDefault,
      inputPricePerMillionCents: m.inputPricePerMillionCents,
      outputPricePerMillionCents: m.outputPricePerMillionCents,
      ...(m.pricePerImageCents !== null && { pricePerImageCents: m.pricePerImageCents }),
      ...(m.cachedInputPricePerMillionCents !== null && {
        cachedInputPricePerMillionCents: m.cachedInputPricePerMillionCents,
      }),
      ...(m.feeMarkupPercentage !== null && { feeMarkupPercentage: m.feeMarkupPercentage }),
    })),
    billingProvider: before.billingProvider ?? '',
    billingPriceRef: before.billingPriceRef ?? '',
    ...(before.priceAmountCents !== null && { priceAmountCents: before.priceAmountCents }),
    priceCurrency: before.priceCurrency ?? '',
    priceInterval: before.priceInterval ?? '',
    ...(before.trialDays !== null && { trialDays: before.trialDays }),
    ...(before.promoCreditsCents !== null && { promoCreditsCents: before.promoCreditsCents }),
    ...(before.customerTokenMaxTtlSeconds !== null && {
      customerTokenMaxTtlSeconds: before.customerTokenMaxTtlSeconds,
    }),
    ...(before.rateLimitPerMinute !== null && { rateLimitPerMinute: before.rateLimitPerMinute }),
    overageEnabled: before.overageEnabled,
    isDefault: before.isDefault,
    visibility: before.visibility,
    sortOrder: before.sortOrder,
    features: [...before.features],
    planGroup: before.planGroup ?? '',
    allowPromotionCodes: before.allowPromotionCodes,
  });
  const given = req.values ?? createMessage(CreateTierRequestSchema);
  if (req.updateMask.includes('price_amount_cents') && given.priceAmountCents === undefined)
    Object.assign(merged, NOT_PAID);
  // Unchecked: the caller validates the merged tier and names each field that is wrong.
  const from = reflect(CreateTierRequestSchema, given, false);
  const to = reflect(CreateTierRequestSchema, merged, false);
  for (const field of CreateTierRequestSchema.fields) {
    if (!req.updateMask.includes(field.name)) continue;
    if (from.isSet(field)) to.set(field, from.get(field));
    else to.clear(field);
  }
  return merged;
}
