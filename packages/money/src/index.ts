export {
  AmountError,
  centsToMicrocents,
  MICROCENTS_PER_CENT,
  microcentsToCentsCeil,
  microcentsToCentsFloor,
  microcentsToCentsRounded,
  microcentsToFractionalCents,
  toDecimalString,
  toJsonNumber,
  toReportNumber,
} from './amounts.js';
export {
  affordableOutputTokens,
  costOfImages,
  costOfTokens,
  maxCostOfTokens,
  type TokenCounts,
  type TokenPrices,
} from './cost.js';
export { findCurrencyDecimals } from './currencies.js';
export { formatMicrocents } from './format.js';
