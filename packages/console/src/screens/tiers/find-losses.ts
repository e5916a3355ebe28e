import type { Model } from '../../api/types.js';
import { readCents } from '../../format/money.js';
import type { ModelDraft } from './tier-draft.js';

/** A price below what the vendor charges, in cents. */
export interface Loss {
  modelId: string;
  unit: string;
  price: number;
  cost: number;
}

/** The price that applies when a tier names none. */
export function usualPrice(cost: number, markup: number): number {
  return Math.ceil(cost * (1 + markup / 100));
}

/** Returns the prices of a tier that are below their costs. `markup` is the project's, in percent. */
export function findLosses(models: readonly ModelDraft[], catalog: readonly Model[], markup: number): Loss[] {
  return models.flatMap((model) => {
    const known = catalog.find(({ model_id: id }) => id === model.modelId);
    const prices = [
      ['input', model.input, known?.input_cost_per_million_cents],
      ['output', model.output, known?.output_cost_per_million_cents],
      ['an image', model.image, known?.price_per_image_cents],
    ] as const;
    return prices.flatMap(([unit, text, cost]) => {
      if (cost === undefined) return [];
      const price = text === '' ? usualPrice(cost, markup) : readCents(text);
      return price !== undefined && price < cost ? [{ modelId: model.modelId, unit, price, cost }] : [];
    });
  });
}
