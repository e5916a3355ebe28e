import { AmountError, MICROCENTS_PER_CENT } from './amounts.js';

/** Integer prices in cents per million tokens. */
export interface TokenPrices {
  inputPricePerMillionCents: number | bigint;
  outputPricePerMillionCents: number | bigint;
  /** Tokens that the provider read from its prompt cache; default: the input price. */
  cacheReadPricePerMillionCents?: number | bigint;
  /** Tokens that the provider wrote to its prompt cache; default: the input price. */
  cacheWritePricePerMillionCents?: number | bigint;
}

/** Token counters of one request. The cache counters are disjoint subsets of `inputTokens`, not additions to it. */
export interface TokenCounts {
  inputTokens: number | bigint;
  outputTokens: number | bigint;
  cacheReadInputTokens?: number | bigint;
  cacheWriteInputTokens?: number | bigint;
}

/**
 * Exact cost in microcents: tokens × price, because a price of 1 cent per million tokens is 1 microcent per token.
 *
 * @throws AmountError for a counter or price that is negative, fractional or unsafe, or for cache counters that
 * together exceed the input: such figures cannot be real usage, so they are not charged.
 */
export function costOfTokens(usage: TokenCounts & TokenPrices): bigint {
  const input = naturalNumber(usage.inputTokens, 'inputTokens');
  const output = naturalNumber(usage.outputTokens, 'outputTokens');
  const cacheRead = naturalNumber(usage.cacheReadInputTokens ?? 0, 'cacheReadInputTokens');
  const cacheWrite = naturalNumber(usage.cacheWriteInputTokens ?? 0, 'cacheWriteInputTokens');
  const uncached = input - cacheRead - cacheWrite;
  if (uncached < 0n) throw new AmountError(`cache counters ${cacheRead} + ${cacheWrite} exceed inputTokens ${input}`);
  const inputPrice = naturalNumber(usage.inputPricePerMillionCents, 'inputPricePerMillionCents');
  const outputPrice = naturalNumber(usage.outputPricePerMillionCents, 'outputPricePerMillionCents');
  const readPrice = naturalNumber(usage.cacheReadPricePerMillionCents ?? inputPrice, 'cacheReadPricePerMillionCents');
  const writePrice = naturalNumber(
    usage.cacheWritePricePerMillionCents ?? inputPrice,
    'cacheWritePricePerMillionCents',
  );
  return uncached * inputPrice + cacheRead * readPrice + cacheWrite * writePrice + output * outputPrice;
}

/**
 * Returns the maximum cost of a request, for its hold: every input token at the highest of the input prices, because it
 * is not known yet how much a cache serves.
 */
export function maxCostOfTokens(
  bounds: { inputTokens: number | bigint; outputTokens: number | bigint } & TokenPrices,
): bigint {
  const inputPrice = naturalNumber(bounds.inputPricePerMillionCents, 'inputPricePerMillionCents');
  const cacheRead = naturalNumber(bounds.cacheReadPricePerMillionCents ?? inputPrice, 'cacheReadPricePerMillionCents');
  const cacheWrite = naturalNumber(
    bounds.cacheWritePricePerMillionCents ?? inputPrice,
    'cacheWritePricePerMillionCents',
  );
  const dearest = larger(inputPrice, larger(cacheRead, cacheWrite));
  return costOfTokens({
    inputTokens: bounds.inputTokens,
    outputTokens: bounds.outputTokens,
    inputPricePerMillionCents: dearest,
    outputPricePerMillionCents: bounds.outputPricePerMillionCents,
  });
}

/** Cost in microcents of images at an integer price in cents each. @throws AmountError as `costOfTokens` does. */
export function costOfImages(usage: { images: number | bigint; pricePerImageCents: number | bigint }): bigint {
  const images = naturalNumber(usage.images, 'images');
  return images * naturalNumber(usage.pricePerImageCents, 'pricePerImageCents') * MICROCENTS_PER_CENT;
}

/**
 * Returns how many output tokens `fundsMicrocents` cover after the input; admission reduces `max_output_tokens` to
 * this. Undefined when output is free (no bound from the funds); 0 when the input is not covered.
 */
export function affordableOutputTokens(
  funds: { fundsMicrocents: bigint; inputTokens: number | bigint } & TokenPrices,
): bigint | undefined {
  const remaining = funds.fundsMicrocents - maxCostOfTokens({ ...funds, outputTokens: 0 });
  const outputPrice = naturalNumber(funds.outputPricePerMillionCents, 'outputPricePerMillionCents');
  if (remaining < 0n) return 0n;
  return outputPrice === 0n ? undefined : remaining / outputPrice;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function naturalNumber(value: number | bigint, name: string): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new AmountError(`${name} must be a safe integer, got ${value}`);
  }
  const natural = BigInt(value);
  if (natural < 0n) throw new AmountError(`${name} must not be negative, got ${value}`);
  return natural;
}
