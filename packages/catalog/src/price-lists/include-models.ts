import type { PriceList } from './listed-model.js';

/** Providers of the contract that have a list; their default connections serve it. */
const OWN: ReadonlySet<string> = new Set(['openai', 'anthropic', 'google-ai-studio', 'xai']);
/** Templates of open models have a preamble of 10 to 40 tokens. The providers of the contract count none beyond the text. */
const OPEN_MODELS_OVERHEAD_TOKENS = 64;

/** The models of a price list that a connection serves. */
export interface IncludedList {
  list: string;
  /** Absent: the default connection of the list's own provider. */
  connection?: string | undefined;
  /** The vendor's names; absent: all of the list. */
  models?: readonly string[] | undefined;
}

/** Whether the list is that of a provider of the contract, whose default connection serves it. */
export function isOwnList(list: string): boolean {
  return OWN.has(list);
}

/** The id of a model that a connection serves. Ids have no characters that would have to be escaped in a path. */
export function toCatalogId(upstream: string, connection: string | undefined): string {
  const id = upstream.replaceAll(/[^A-Za-z0-9._:/-]/g, '-');
  return connection === undefined ? id : `${connection}/${id}`;
}

/**
 * Returns catalog entries of the included models.
 *
 * @throws RangeError naming a model that the list does not have
 */
export function includeModels(
  { list, connection, models: wanted }: IncludedList,
  prices: PriceList,
): Record<string, unknown>[] {
  const isOwn = OWN.has(list);
  const names = prices.models.flatMap((model) =>
    [model.model_id, ...(model.aliases ?? [])].map((id) => [id, model] as const),
  );
  const known = new Map(names);
  const chosen = wanted?.map((upstream) => {
    const model = known.get(upstream);
    if (!model) throw new RangeError(`price list ${list} has no model ${upstream}`);
    return { model, upstream };
  });
  const all = prices.models.map((model) => ({ model, upstream: model.model_id }));
  const provider = isOwn ? list : 'custom';
  return (chosen ?? all).map(({ model: { aliases, ...model }, upstream }) => ({
    prompt_overhead_tokens: isOwn ? 0 : OPEN_MODELS_OVERHEAD_TOKENS,
    ...model,
    ...(chosen === undefined && aliases && { aliases: aliases.map((alias) => toCatalogId(alias, connection)) }),
    model_id: toCatalogId(upstream, connection),
    display_name: model.display_name ?? upstream,
    provider,
    routes: [{ provider, upstream_model: upstream, ...(connection !== undefined && { connection }) }],
  }));
}
