import type { CatalogModel, MeteredUnit } from './model-record.js';

type Hidden =
  | 'routes'
  | 'routing'
  | 'aliases'
  | 'tokenizer'
  | 'reasons'
  | 'cache_read_cost_per_million_cents'
  | 'cache_write_cost_per_million_cents'
  | 'cache_write_1h_cost_per_million_cents'
  | 'search_cost_per_thousand_cents'
  | 'code_run_cost_per_thousand_cents'
  | 'request_cost_per_thousand_cents'
  | 'long_context'
  | 'service_tiers'
  | 'quota_units'
  | 'takes_task_type'
  | 'retired'
  | 'prompt_overhead_tokens';

/**
 * A model as `GET /models` shows it: without routes, tokenizer and the internals of its price. `metered_in` is shown
 * where it is not tokens.
 */
export type PublicModel = Omit<CatalogModel, Hidden | 'metered_in'> & { metered_in?: MeteredUnit };

/** The public record; optional fields are left out when absent. */
export function toPublicModel(model: CatalogModel): PublicModel {
  const {
    routes: _routes,
    routing: _routing,
    aliases: _aliases,
    tokenizer: _tokenizer,
    reasons: _reasons,
    cache_read_cost_per_million_cents: _cacheRead,
    cache_write_cost_per_million_cents: _cacheWrite,
    cache_write_1h_cost_per_million_cents: _cacheWriteHour,
    search_cost_per_thousand_cents: _search,
    code_run_cost_per_thousand_cents: _codeRun,
    request_cost_per_thousand_cents: _request,
    long_context: _longContext,
    service_tiers: _serviceTiers,
    quota_units: _quotaUnits,
    takes_task_type: _takesTaskType,
    retired: _retired,
    prompt_overhead_tokens: _promptOverhead,
    metered_in: unit,
    ...shown
  } = model;
  return unit === 'tokens' ? shown : { ...shown, metered_in: unit };
}
