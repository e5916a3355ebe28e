import { costOfTokens, MICROCENTS_PER_CENT } from '@tollgate/money';
import type { CatalogModel, RoutePrices } from './model-record.js';
import type { ProviderToolUse } from './provider-tools.js';

/** A provider's report of one call. */
export interface ProviderUsage extends ProviderToolUse {
  inputTokens: number;
  outputTokens: number;
  /** Parts of the input. */
  cacheReadInputTokens?: number;
  cacheWriteInputTokens?: number;
  /** The service tier that the provider answered in, by its name. */
  serviceTier?: string | undefined;
}

/** Options of a request that may cost more than its tokens at the usual prices. */
export interface PricedOptions {
  /** The provider is asked to cache the prompt for an hour. */
  cachesForHour?: boolean | undefined;
  /** The service tier that is asked for, by the provider's name. */
  serviceTier?: string | undefined;
}

type Rates = Pick<
  CatalogModel,
  | 'input_cost_per_million_cents'
  | 'output_cost_per_million_cents'
  | 'cache_read_cost_per_million_cents'
  | 'cache_write_cost_per_million_cents'
  | 'cache_write_1h_cost_per_million_cents'
>;

/** Returns exactly what the provider charges for one call, in microcents: tokens at the prices that apply, and fees. */
export function providerCostMicrocents(model: CatalogModel, usage: ProviderUsage): bigint {
  const rates = findRates(model, usage);
  const input = rates.input_cost_per_million_cents ?? 0;
  const write = rates.cache_write_cost_per_million_cents ?? input;
  const writeHour = rates.cache_write_1h_cost_per_million_cents ?? write;
  // A server's counters may overlap; they are parts of the input.
  const cacheReadTokens = Math.min(usage.cacheReadInputTokens ?? 0, usage.inputTokens);
  const cacheWriteTokens = Math.min(usage.cacheWriteInputTokens ?? 0, usage.inputTokens - cacheReadTokens);
  const tokens = costOfTokens({
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadInputTokens: cacheReadTokens,
    cacheWriteInputTokens: cacheWriteTokens,
    inputPricePerMillionCents: input,
    outputPricePerMillionCents: rates.output_cost_per_million_cents ?? 0,
    cacheReadPricePerMillionCents: rates.cache_read_cost_per_million_cents ?? input,
    cacheWritePricePerMillionCents: write,
  });
  const hourTokens = Math.min(usage.cacheWriteHourTokens ?? 0, cacheWriteTokens);
  return tokens + BigInt(hourTokens) * BigInt(writeHour - write) + providerFeeMicrocents(model, usage);
}

/** Returns the model at the prices of one of its routes. */
export function pricedAt(model: CatalogModel, prices: RoutePrices | undefined): CatalogModel {
  return prices ? { ...model, ...prices } : model;
}

/** Returns the most that a call may cost its provider in addition to its tokens, whichever route serves it, in microcents. */
export function boundFeeMicrocents(model: CatalogModel, use: Pick<ProviderToolUse, 'searches' | 'codeRuns'>): bigint {
  let most = providerFeeMicrocents(model, use);
  for (const { prices } of model.routes) {
    const fee = prices ? providerFeeMicrocents(pricedAt(model, prices), use) : 0n;
    if (fee > most) most = fee;
  }
  return most;
}

/** Returns what the provider charges for one call in addition to its tokens, in microcents. */
export function providerFeeMicrocents(
  model: CatalogModel,
  { searches = 0, codeRuns = 0 }: Pick<ProviderToolUse, 'searches' | 'codeRuns'>,
): bigint {
  const { search_cost_per_thousand_cents: search = 0, code_run_cost_per_thousand_cents: codeRun = 0 } = model;
  const perThousand = (model.request_cost_per_thousand_cents ?? 0) + searches * search + codeRuns * codeRun;
  return BigInt(perThousand) * (MICROCENTS_PER_CENT / 1_000n);
}

/** Returns the most that a token of a request may cost its provider, whichever route serves it, in cents per million. */
export function boundRates(
  model: CatalogModel,
  { inputTokens, cachesForHour = false, serviceTier }: PricedOptions & { inputTokens: number },
): { inputPerMillionCents: bigint; outputPerMillionCents: bigint } {
  const atRoutes = model.routes.flatMap(({ prices }) => (prices ? [pricedAt(model, prices)] : []));
  // The provider may choose: the usual tier, or a dearer one of the account.
  const possible = [model, ...atRoutes].flatMap((priced) => [
    priced,
    findRates(priced, { inputTokens }),
    findRates(priced, { inputTokens, serviceTier }),
  ]);
  let input = 0;
  let output = 0;
  for (const rates of possible) {
    const price = rates.input_cost_per_million_cents ?? 0;
    const hour = cachesForHour ? rates.cache_write_1h_cost_per_million_cents : undefined;
    const read = rates.cache_read_cost_per_million_cents ?? price;
    input = Math.max(input, price, read, rates.cache_write_cost_per_million_cents ?? price, hour ?? price);
    output = Math.max(output, rates.output_cost_per_million_cents ?? 0);
  }
  return { inputPerMillionCents: BigInt(input), outputPerMillionCents: BigInt(output) };
}

/** Whether the catalog has a price for a service tier of the model. */
export function isServiceTierPriced(model: CatalogModel, serviceTier: string): boolean {
  return findTier(model, serviceTier) !== undefined;
}

/** `serviceTier` is a name of the client or of the vendor: any text. */
function findTier({ service_tiers: tiers = {} }: CatalogModel, serviceTier: string) {
  return Object.hasOwn(tiers, serviceTier) ? tiers[serviceTier] : undefined;
}

/** Prices of a service tier, and of its long prompts, replace those of the model; what they leave out stays. */
function findRates(model: CatalogModel, usage: { inputTokens: number; serviceTier?: string | undefined }): Rates {
  const tier = usage.serviceTier === undefined ? undefined : findTier(model, usage.serviceTier);
  const long = tier ? tier.long_context : model.long_context;
  const isLong = long !== undefined && usage.inputTokens > long.above_input_tokens;
  return tier || isLong ? { ...model, ...tier, ...(isLong && long) } : model;
}
