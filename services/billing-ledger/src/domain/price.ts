import { costOfImages, costOfTokens } from '@tollgate/money';

/** Integer cents per million tokens or per image. */
export interface Price {
  inputPerMillionCents: bigint;
  outputPerMillionCents: bigint;
  perImageCents: bigint;
  /** Of input that the provider read from its cache; absent: the input price. */
  cachedInputPerMillionCents?: bigint | undefined;
  /** The most that a token may cost, for holds; absent: the prices above. */
  bound?: { inputPerMillionCents: bigint; outputPerMillionCents: bigint } | undefined;
  /** Added to the provider's fees, in parts of {@link MARKUP_WHOLE}; absent: nothing. */
  feeMarkup?: bigint | undefined;
}

/** Usage of one request. */
export interface UsedUnits {
  inputTokens: bigint;
  outputTokens: bigint;
  images: bigint;
  /** Part of `inputTokens` that no model has read: charged, not counted as tokens. */
  toolFeeTokens?: bigint;
  /** Part of `inputTokens` that the provider read from its cache. */
  cachedInputTokens?: bigint;
  /** Charged by the provider in addition to tokens. */
  feeMicrocents?: bigint;
  /** The provider's whole charge; absent: tokens at the hold's prices, and the fees. */
  providerMicrocents?: bigint | undefined;
}

/** Percentages are exact to six decimals. */
const PARTS_PER_PERCENT = 1_000_000;
/** A markup of 100 %. */
export const MARKUP_WHOLE = BigInt(100 * PARTS_PER_PERCENT);

/** Converts a percentage to parts of {@link MARKUP_WHOLE}. */
export function toMarkup(percentage: number): bigint {
  return BigInt(Math.round(percentage * PARTS_PER_PERCENT));
}

/** Adds a markup to an amount; fractions are rounded up. */
export function withMarkup(amount: bigint, markup: bigint): bigint {
  return (amount * (MARKUP_WHOLE + markup) + MARKUP_WHOLE - 1n) / MARKUP_WHOLE;
}

/** Returns the input that a model has read. */
export function countedInputTokens({ inputTokens, toolFeeTokens = 0n }: UsedUnits): bigint {
  return inputTokens - toolFeeTokens;
}

/** Returns the most that usage may cost, for holds. */
export function maxCostMicrocents({ bound, ...price }: Price, { cachedInputTokens: _, ...units }: UsedUnits): bigint {
  const { inputPerMillionCents: input, cachedInputPerMillionCents: cached = 0n } = { ...price, ...bound };
  return costMicrocents({ ...price, ...bound, inputPerMillionCents: cached > input ? cached : input }, units);
}

/** Returns what the provider charges, by its price of an ordinary request unless the report says more. */
export function providerCostMicrocents(price: Price, used: UsedUnits): bigint {
  return used.providerMicrocents ?? costMicrocents(price, used);
}

/** Returns the exact cost. Other counters of caches are part of the input and cost the same (SPEC "Cost of one request"). */
export function costMicrocents(price: Price, { feeMicrocents = 0n, ...used }: UsedUnits): bigint {
  let cost = costOfTokens({
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    cacheReadInputTokens: used.cachedInputTokens ?? 0n,
    inputPricePerMillionCents: price.inputPerMillionCents,
    outputPricePerMillionCents: price.outputPerMillionCents,
    cacheReadPricePerMillionCents: price.cachedInputPerMillionCents ?? price.inputPerMillionCents,
  });
  if (used.images !== 0n) cost += costOfImages({ images: used.images, pricePerImageCents: price.perImageCents });
  return feeMicrocents === 0n ? cost : cost + withMarkup(feeMicrocents, price.feeMarkup ?? 0n);
}
