import { costOfImages, costOfTokens } from '@tollgate/money';

/** Integer cents per million tokens or per image. */
export interface Price {
  inputPerMillionCents: bigint;
  outputPerMillionCents: bigint;
  perImageCents: bigint;
}

/** Usage of one request. */
export interface UsedUnits {
  inputTokens: bigint;
  outputTokens: bigint;
  images: bigint;
  /** Part of `inputTokens` that stands for the fees of the provider's own tools: charged, not counted as tokens. */
  toolFeeTokens?: bigint;
}

/** Returns the input that a model has read. */
export function countedInputTokens({ inputTokens, toolFeeTokens = 0n }: UsedUnits): bigint {
  return inputTokens - toolFeeTokens;
}

/** Returns the exact cost. Cache counters are part of the input and cost the same (SPEC "Cost of one request"). */
export function costMicrocents(price: Price, used: UsedUnits): bigint {
  const tokens = costOfTokens({
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    inputPricePerMillionCents: price.inputPerMillionCents,
    outputPricePerMillionCents: price.outputPerMillionCents,
  });
  return used.images === 0n
    ? tokens
    : tokens + costOfImages({ images: used.images, pricePerImageCents: price.perImageCents });
}
