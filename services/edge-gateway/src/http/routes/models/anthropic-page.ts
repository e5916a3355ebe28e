import type { ListAnthropicModelsQuery, Model } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { toAnthropicModel } from './compatible-model.js';

/** Returns a page of the models that serve messages, bounded by the given ids. @throws AppError for an unknown id */
export function anthropicPage(models: readonly Model[], query: ListAnthropicModelsQuery): Record<string, unknown> {
  const { limit, after_id: afterId, before_id: beforeId } = query;
  const all = models.filter(({ capabilities }) => capabilities.includes('text'));
  const from = afterId === undefined ? 0 : findPlace(all, afterId, 'after_id') + 1;
  const to = beforeId === undefined ? all.length : findPlace(all, beforeId, 'before_id');
  // With before_id, the page ends directly before the id.
  const start = beforeId !== undefined && afterId === undefined ? Math.max(from, to - limit) : from;
  const end = Math.min(to, start + limit);
  const page = all.slice(start, end);
  return {
    data: page.map(toAnthropicModel),
    has_more: beforeId !== undefined && afterId === undefined ? start > from : end < to,
    first_id: page[0]?.model_id ?? null,
    last_id: page.at(-1)?.model_id ?? null,
  };
}

function findPlace(models: readonly Model[], id: string, field: string): number {
  const place = models.findIndex(({ model_id: modelId }) => modelId === id);
  if (place !== -1) return place;
  const message = `${field} is not a model: ${id}`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
