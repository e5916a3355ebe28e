import { type HoldTerms, heldUnits } from './hold.js';
import { costMicrocents, type UsedUnits } from './price.js';

/** Tokens of one kind that one model call can use: many times the largest context window. */
export const TOKENS_PER_CALL_MAX = 100_000_000n;
/** Images that one request can make. */
export const IMAGES_MAX = 10_000n;
/**
 * What one payer can be asked for one request, in microcents: $10,000,000. Small enough that neither an account, nor a
 * report, nor a JSON number overflows, whatever a provider reports.
 */
export const REQUEST_MICROCENTS_MAX = 1_000_000_000_000_000n;

/**
 * Returns the use to settle. A report that no request can have caused says nothing about this one, so every figure of it
 * that exceeds the hold is replaced by what was held for.
 */
export function plausibleUse(terms: HoldTerms, used: UsedUnits): UsedUnits {
  if (isPlausible(terms, used)) return used;
  const held = heldUnits(terms);
  return {
    inputTokens: within(used.inputTokens, held.inputTokens),
    outputTokens: within(used.outputTokens, held.outputTokens),
    images: within(used.images, held.images),
  };
}

function isPlausible(terms: HoldTerms, used: UsedUnits): boolean {
  const calls = BigInt(1 + Object.keys(terms.extensions ?? {}).length);
  const tokensMax = TOKENS_PER_CALL_MAX * calls;
  if (!isIn(used.inputTokens, tokensMax) || !isIn(used.outputTokens, tokensMax) || !isIn(used.images, IMAGES_MAX))
    return false;
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
