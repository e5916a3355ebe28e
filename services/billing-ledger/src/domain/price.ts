import { costOfImages, costOfTokens } from '@tollgate/money';

/** Integer cents per million tokens or per image. */
export interface Price {
  inputPerMillionCents: bigint;
  outputPerMillionCents: bigint;
  perImageCents: bigint;
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
  /** What the provider charges for uses of its own tools. */
  feeMicrocents?: bigint;
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

/** Returns the exact cost. Cache counters are part of the input and cost the same (SPEC "Cost of one request"). */
export function costMicrocents(price: Price, { feeMicrocents = 0n, ...used }: UsedUnits): bigint {
  let cost = costOfTokens({
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    inputPricePerMillionCents: price.inputPerMillionCents,
    outputPricePerMillionCents: price.outputPerMillionCents,
  });
  if (used.images !== 0n) cost += costOfImages({ images: used.images, pricePerImageCents: price.perImageCents });
  return feeMicrocents === 0n ? cost : cost + withMarkup(feeMicrocents, price.feeMarkup ?? 0n);
}
