import { joinReleases } from './join-releases.js';
import { isObject, type Json, toCents, toPriceFields, withoutUndefined } from './list-values.js';
import { type ListedModel, type ReadList, vendors } from './listed-model.js';

const LONG_CONTEXT = /^context_over_(\d+)k$/;

/**
 * Reads one vendor's models from models.dev's `api.json`. Models whose output is neither text nor embeddings are left out by name:
 * the list has no price of their unit.
 *
 * @throws RangeError for an unknown vendor
 */
export function readModelsDev(file: Json, list: string): ReadList {
  const vendor = vendors[list];
  if (!vendor) throw new RangeError(`unknown vendor ${list}; known are ${Object.keys(vendors).join(', ')}`);
  const read: ReadList = { models: [], skipped: [], retired: [] };
  for (const name of vendor.modelsDev) {
    const { models } = isObject(file[name]) ? file[name] : {};
    for (const [id, entry] of Object.entries(isObject(models) ? models : {})) {
      if (!isObject(entry) || vendor.leavesOut?.test(id)) continue;
      const model = toModel(id, entry);
      if (typeof model === 'string') read.skipped.push({ model_id: id, reason: model });
      else read.models.push(model);
    }
  }
  return { ...read, models: joinReleases(read.models) };
}

function toModel(id: string, entry: Json): ListedModel | string {
  const cost = isObject(entry.cost) ? entry.cost : {};
  const prices = toPrices(cost);
  if (prices === undefined) return 'no price per token';
  if (prices.input_cost_per_million_cents === 0 && prices.output_cost_per_million_cents === 0) return 'a price of 0';
  const reasoning = toCents(cost.reasoning);
  if (reasoning !== undefined && reasoning !== prices.output_cost_per_million_cents)
    return 'a price of reasoning of its own';
  const { input = [], output = [] } = (isObject(entry.modalities) ? entry.modalities : {}) as Record<string, unknown[]>;
  if (!output.includes('text')) return `output is ${output.join(', ') || 'unknown'}`;
  const limit = isObject(entry.limit) ? entry.limit : {};
  if (!(Number(limit.context) > 0)) return 'the list has no context window';
  const audio = toCents(cost.input_audio);
  const takesAudio = input.includes('audio') && (audio === undefined || audio <= prices.input_cost_per_million_cents);
  const known: [ListedModel['capabilities'][number], unknown][] = [
    ['text', true],
    ['vision', input.includes('image')],
    ['document', input.includes('pdf')],
    ['audio', takesAudio],
    ['tool_use', entry.tool_call],
    ['structured_output', entry.structured_output],
  ];
  return withoutUndefined({
    model_id: id,
    display_name: typeof entry.name === 'string' ? entry.name : undefined,
    capabilities: known.flatMap(([name, has]) => (has === true ? [name] : [])),
    context_window: Number(limit.context),
    max_output_tokens: Math.min(Number(limit.output) || 8_192, Number(limit.context)),
    reasons: entry.reasoning === true ? true : undefined,
    deprecated: entry.status === 'deprecated' ? true : undefined,
    deprecation_message: entry.status === 'deprecated' ? 'The vendor has deprecated this model.' : undefined,
    ...prices,
    audio_input_cost_per_million_cents: audio,
    long_context: longContext(cost),
  }) as unknown as ListedModel;
}

function toPrices(cost: Json) {
  return toPriceFields({
    input: toCents(cost.input),
    output: toCents(cost.output),
    cacheRead: toCents(cost.cache_read),
    cacheWrite: toCents(cost.cache_write),
  });
}

function longContext(cost: Json): ListedModel['long_context'] {
  for (const [key, value] of Object.entries(cost)) {
    const above = Number(LONG_CONTEXT.exec(key)?.[1]);
    const prices = isObject(value) ? toPrices(value) : undefined;
    if (above > 0 && prices) return { above_input_tokens: above * 1_000, ...prices };
  }
  return undefined;
}
