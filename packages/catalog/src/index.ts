export { bareModelId, type Catalog } from './catalog.js';
export {
  type Connection,
  type ConnectionAuth,
  type ConnectionEntry,
  type ConnectionQuirks,
  type ConnectionWire,
  connectionSchema,
  connectionWires,
} from './connections/connection.js';
export { connectionId } from './connections/connection-id.js';
export { canCountInputTokens, countInputTokens } from './count-tokens.js';
export { CatalogError, type CatalogOptions, loadCatalog, openCatalog } from './load-catalog.js';
export {
  countCharacters,
  estimateEmbeddings,
  estimateModeration,
  estimateSpeech,
  estimateTranscribedSeconds,
  estimateTranscription,
  type MediaEstimate,
} from './media-estimates.js';
export {
  type ModalityTokens,
  modalityFeeTokens,
  NO_TOKENS,
  type RealtimeTokens,
  realtimeCostMicrocents,
} from './modality-fees.js';
export {
  type Capability,
  type CatalogModel,
  capabilities,
  type MediaKind,
  type MeteredUnit,
  type ModelRoute,
  type ProviderId,
  providerIds,
  type RouteChoice,
  type RoutePrices,
  type TokenizerId,
  toConnectionId,
} from './model-record.js';
export { usualOutputTokens } from './output-bounds.js';
export { isPriced, type PricedKind } from './prices.js';
export {
  boundFeeMicrocents,
  boundRates,
  isServiceTierPriced,
  type PricedOptions,
  type ProviderUsage,
  pricedAt,
  providerCostMicrocents,
  providerFeeMicrocents,
} from './provider-cost.js';
export {
  FETCHED_TOKENS_MAX,
  PROVIDER_FETCHES_MAX,
  PROVIDER_SEARCHES_MAX,
  type ProviderToolKind,
  type ProviderToolUse,
  providerToolFee,
  reservedToolUses,
  reserveForResults,
} from './provider-tools.js';
export { type PublicModel, toPublicModel } from './public-model.js';
export {
  countSandboxTokens,
  SANDBOX_BYTES_PER_TOKEN,
  SANDBOX_TOKENS_PER_FILE,
  SANDBOX_TOKENS_PER_MESSAGE,
  splitSandboxTokens,
} from './sandbox-tokens.js';
export {
  countSandboxInput,
  estimateInputTokens,
  exceedsContextWindow,
  likelyInputTokens,
  likelyOutputTokens,
  type RequestInput,
} from './token-estimates.js';
