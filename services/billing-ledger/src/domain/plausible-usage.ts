import { type HoldSnapshot, heldUnits } from './hold.js';
import { costMicrocents, type UsedUnits } from './price.js';

/** Maximum tokens of one kind per model call: many times the largest context window. */
export const TOKENS_PER_CALL_MAX = 100_000_000n;
/** Maximum images per request. */
export const IMAGES_MAX = 10_000n;
/**
 * Maximum that one payer can be charged for one request, in microcents: $10,000,000. Small enough that no account, report or
 * JSON number overflows for any figure that a provider reports.
 */
export const REQUEST_MICROCENTS_MAX = 1_000_000_000_000_000n;

/**
 * Returns the usage to settle. In a report that no request can have caused, every figure that exceeds the hold is replaced
 * by the held figure.
 */
export function plausibleUse(terms: HoldSnapshot, used: UsedUnits): UsedUnits {
  if (isPlausible(terms, used)) return used;
  const held = heldUnits(terms);
  return {
    inputTokens: within(used.inputTokens, held.inputTokens),
    outputTokens: within(used.outputTokens, held.outputTokens),
    images: within(used.images, held.images),
    feeMicrocents: within(used.feeMicrocents ?? 0n, held.feeMicrocents ?? 0n),
  };
}

function isPlausible(terms: HoldSnapshot, used: UsedUnits): boolean {
  const calls = BigInt(1 + Object.keys(terms.extensions ?? {}).length);
  const tokensMax = TOKENS_PER_CALL_MAX * calls;
  if (!isIn(used.inputTokens, tokensMax) || !isIn(used.outputTokens, tokensMax) || !isIn(used.images, IMAGES_MAX))
    return false;
  if (!isIn(used.toolFeeTokens ?? 0n, used.inputTokens)) return false;
  if (!isIn(used.cachedInputTokens ?? 0n, used.inputTokens)) return false;
  if (!isIn(used.feeMicrocents ?? 0n, REQUEST_MICROCENTS_MAX)) return false;
  if (!isIn(used.providerMicrocents ?? 0n, REQUEST_MICROCENTS_MAX * calls)) return false;
  return [terms.providerPrice, terms.customerPrice].every(
    (price) => !price || costMicrocents(price, used) <= REQUEST_MICROCENTS_MAX * calls,
  );
}

function isIn(figure: bigint, max: bigint): boolean {
  return figure >= 0n && figure <= max;
}

function within(figure: bigint, held: bigint): bigint {
  return isIn(figure, held) ? figure : held;
}
