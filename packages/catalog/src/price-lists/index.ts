import { builtInModels } from '../data/built-in-models.js';
import { type IncludedList, includeModels } from './include-models.js';
import { isObject, type Json } from './list-values.js';
import type { ReadList } from './listed-model.js';
import { loadPriceList } from './load-price-list.js';
import { readLitellm } from './read-litellm.js';
import { readModelsDev } from './read-models-dev.js';

export {
  applyChanges,
  type ComparedCatalog,
  type ComparedList,
  compareLists,
  type ListChange,
} from './compare-lists.js';
export { isOwnList } from './include-models.js';
export { type ListedModel, type PriceList, type ReadList, type SkippedModel, vendors } from './listed-model.js';

/**
 * Reads one vendor's models from a downloaded price list in either form. `today` is a date, `YYYY-MM-DD`.
 *
 * @throws RangeError for any other form, and for an unknown vendor
 */
export function readDownloaded(content: unknown, list: string, today: string): ReadList {
  const entries = isObject(content) ? Object.values(content) : [];
  if (isObject(content) && entries.some((entry) => isObject(entry) && typeof entry.litellm_provider === 'string')) {
    return readLitellm(content, list, today);
  }
  if (isObject(content) && entries.some((entry) => isObject(entry) && isObject(entry.models))) {
    return readModelsDev(content, list);
  }
  throw new RangeError("is neither LiteLLM's model_prices_and_context_window.json nor models.dev's api.json");
}

/** Models that a catalog has without the entries of its file: those of this package, and the included ones. */
export async function listOtherModels(include: readonly IncludedList[]): Promise<Json[]> {
  const included: Json[] = [];
  for (const each of include) {
    const prices = await loadPriceList(each.list);
    if (prices) included.push(...includeModels(each, prices));
  }
  return [...(builtInModels as unknown as Json[]), ...included];
}
