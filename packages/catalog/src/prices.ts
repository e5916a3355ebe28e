import type { CatalogModel } from './model-record.js';

/** Metered kind: tokens or images. */
export type PricedKind = 'text' | 'images';

/**
 * Whether the catalog has a price for this use of the model. An unpriced model must be refused, never served free.
 * Without a kind: whether every use of the model has a price.
 */
export function isPriced(model: CatalogModel, kind?: PricedKind): boolean {
  if (kind === 'text') {
    return model.input_cost_per_million_cents !== undefined && model.output_cost_per_million_cents !== undefined;
  }
  if (kind === 'images') return model.price_per_image_cents !== undefined;
  return listPricedKinds(model).every((each) => isPriced(model, each));
}

function listPricedKinds(model: CatalogModel): PricedKind[] {
  const generatesImages = model.capabilities.includes('image_generation');
  if (!generatesImages) return ['text'];
  return model.capabilities.includes('text') ? ['text', 'images'] : ['images'];
}
