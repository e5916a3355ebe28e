import { expect, it } from '@jest/globals';
import { type CatalogPrices, type TierModelPrices, tierModelPrices } from './tier-model-prices.js';

const catalog: CatalogPrices = {
  isPricedFor: { tokens: true, images: false },
  price: { inputPerMillionCents: 101n, outputPerMillionCents: 200n, perImageCents: 7n },
};
const stored: TierModelPrices = {
  inputPricePerMillionCents: 1n,
  outputPricePerMillionCents: 2n,
  pricePerImageCents: 3n,
  cachedInputPricePerMillionCents: 0n,
  feeMarkupPercentage: null,
};

it('takes the prices of the catalog with the markup of the project, rounded up', () => {
  expect(tierModelPrices({}, undefined, catalog, 10)).toEqual({
    inputPricePerMillionCents: 112n,
    outputPricePerMillionCents: 220n,
    pricePerImageCents: null,
    cachedInputPricePerMillionCents: null,
    feeMarkupPercentage: 10,
  });
});

it('keeps the prices that the tier has, also when the markup has changed since', () => {
  expect(tierModelPrices({}, stored, catalog, 50)).toEqual(stored);
});

it('prefers the given prices, also if they are zero', () => {
  const given = { inputPricePerMillionCents: 0n, pricePerImageCents: 9n, feeMarkupPercentage: 5 };
  expect(tierModelPrices(given, stored, catalog, 50)).toEqual({ ...stored, ...given });
});

it('returns nothing for a model without any price, and accepts one sold by the image alone', () => {
  expect(tierModelPrices({ inputPricePerMillionCents: 1n }, undefined, undefined, 0)).toBeUndefined();
  expect(tierModelPrices({ pricePerImageCents: 4n }, undefined, undefined, 0)).toMatchObject({
    inputPricePerMillionCents: 0n,
    outputPricePerMillionCents: 0n,
    pricePerImageCents: 4n,
    feeMarkupPercentage: null,
  });
});
