import type { CatalogModel } from './model-record.js';

/** A model as `GET /models` shows it: without routes, tokenizer and the cache prices' internals. */
export type PublicModel = Omit<
  CatalogModel,
  'routes' | 'tokenizer' | 'cache_read_cost_per_million_cents' | 'cache_write_cost_per_million_cents'
>;

/** The public record; optional fields are left out when absent. */
export function toPublicModel(model: CatalogModel): PublicModel {
  const {
    routes: _routes,
    tokenizer: _tokenizer,
    cache_read_cost_per_million_cents: _cacheRead,
    cache_write_cost_per_million_cents: _cacheWrite,
    ...shown
  } = model;
  return shown;
}
