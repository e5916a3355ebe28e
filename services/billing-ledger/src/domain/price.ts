import { boundFeeMicrocents, boundRates, type Catalog, isPriced, usualOutputTokens } from '@tollgate/catalog';
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

/** Maximum tokens of one kind per model call: many times the largest context window. */
export const TOKENS_PER_CALL_MAX = 100_000_000n;
/** Maximum images per request. */
export const IMAGES_MAX = 10_000n;
/**
 * Maximum that one payer can be charged for one request, in microcents: $10,000,000. Small enough that no account, report or
 * JSON number overflows for any figure that a provider reports.
 */
export const REQUEST_MICROCENTS_MAX = 1_000_000_000_000_000n;

/** Bounds of a model's output, in tokens. */
export interface OutputBounds {
  max: number;
  /** Held if the client names no maximum. A larger hold would reserve funds that almost no answer uses. */
  usual: number;
}

/** Uses and options of a request that may cost more than its tokens at the usual prices. */
export interface RequestExtras {
  /** The most uses of the provider's own tools. */
  searches: number;
  codeRuns: number;
  /** The provider is asked to cache the prompt for an hour. */
  cachesForHour: boolean;
  /** The provider's name of a service tier; empty: the usual one. */
  serviceTier: string;
}

export const NO_EXTRAS: RequestExtras = { searches: 0, codeRuns: 0, cachesForHour: false, serviceTier: '' };

/** What bounds a call of a model. */
export interface ModelBounds {
  outputBounds: OutputBounds;
  /** Returns the most that the provider charges in addition to tokens. */
  toFeeMicrocents(extras: RequestExtras): bigint;
  /** Returns the most that a token of a request of this size may cost; undefined: the model's price. */
  toPriceBound(inputTokens: number, extras: RequestExtras): Price['bound'];
}

/** A catalog model as admission needs it. */
export interface PlannedModel extends ModelBounds {
  modelId: string;
  price: Price;
  /** Units of the account's quota that a request counts for. */
  quotaUnits: bigint;
  isPricedFor: { tokens: boolean; images: boolean };
}

/** Catalog models as admission needs them. Each is converted once. */
export class AdmissionCatalog {
  readonly #catalog: Catalog;
  readonly #planned = new Map<string, PlannedModel>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  find(name: string): PlannedModel | undefined {
    const known = this.#planned.get(name);
    if (known) return known;
    const model = this.#catalog.find(name);
    if (!model) return undefined;
    const planned: PlannedModel = {
      modelId: model.model_id,
      outputBounds: { max: model.max_output_tokens, usual: usualOutputTokens(model) },
      toFeeMicrocents: (extras) => boundFeeMicrocents(model, extras),
      toPriceBound: (inputTokens, { cachesForHour, serviceTier }) =>
        boundRates(model, { inputTokens, cachesForHour, ...(serviceTier && { serviceTier }) }),
      price: {
        inputPerMillionCents: BigInt(model.input_cost_per_million_cents ?? 0),
        outputPerMillionCents: BigInt(model.output_cost_per_million_cents ?? 0),
        perImageCents: BigInt(model.price_per_image_cents ?? 0),
      },
      quotaUnits: BigInt(model.quota_units ?? 1),
      isPricedFor: {
        tokens: isPriced(model, 'text'),
        images: isPriced(model, 'images'),
      },
    };
    this.#planned.set(name, planned);
    return planned;
  }
}
