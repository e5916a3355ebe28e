import { toMarkup, withMarkup } from './price.js';

/** A tier's prices for a model, in cents: per million tokens and per image. */
export interface TierModelPrices {
  inputPricePerMillionCents: bigint;
  outputPricePerMillionCents: bigint;
  pricePerImageCents: bigint | null;
  /** Of input that the provider read from its cache; null: the input price. */
  cachedInputPricePerMillionCents: bigint | null;
  /** Added to the provider's fees for its tools; null: nothing. */
  feeMarkupPercentage: number | null;
}

/** Prices from a request; absent ones are filled in. */
export type GivenPrices = { [Price in Exclude<keyof TierModelPrices, 'feeMarkupPercentage'>]?: bigint | undefined } & {
  feeMarkupPercentage?: number | undefined;
};

/** A model's catalog prices and which of them are set. */
export interface CatalogPrices {
  isPricedFor: { tokens: boolean; images: boolean };
  price: { inputPerMillionCents: bigint; outputPerMillionCents: bigint; perImageCents: bigint };
}

/**
 * Returns a model's prices in a tier: the given ones, else the tier's current ones, else the catalog prices plus the
 * project's markup, rounded up to whole cents. The markup on fees likewise. Returns undefined if the model has no price at all.
 */
export function tierModelPrices(
  given: GivenPrices,
  stored: TierModelPrices | undefined,
  catalog: CatalogPrices | undefined,
  markupPercentage: number,
): TierModelPrices | undefined {
  const usual = stored ?? (catalog && markedUp(catalog, markupPercentage));
  const input = given.inputPricePerMillionCents ?? usual?.inputPricePerMillionCents;
  const output = given.outputPricePerMillionCents ?? usual?.outputPricePerMillionCents;
  const image = given.pricePerImageCents ?? usual?.pricePerImageCents ?? null;
  if (image === null && (input === undefined || output === undefined)) return undefined;
  return {
    inputPricePerMillionCents: input ?? 0n,
    outputPricePerMillionCents: output ?? 0n,
    pricePerImageCents: image,
    cachedInputPricePerMillionCents:
      given.cachedInputPricePerMillionCents ?? stored?.cachedInputPricePerMillionCents ?? null,
    feeMarkupPercentage: given.feeMarkupPercentage ?? (stored ? stored.feeMarkupPercentage : markupPercentage || null),
  };
}

function markedUp({ isPricedFor, price }: CatalogPrices, percentage: number): GivenPrices {
  const raised = (cents: bigint) => withMarkup(cents, toMarkup(percentage));
  return {
    ...(isPricedFor.tokens && {
      inputPricePerMillionCents: raised(price.inputPerMillionCents),
      outputPricePerMillionCents: raised(price.outputPerMillionCents),
    }),
    ...(isPricedFor.images && { pricePerImageCents: raised(price.perImageCents) }),
  };
}
