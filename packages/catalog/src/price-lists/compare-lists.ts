import { isOwnList, toCatalogId } from './include-models.js';
import { isObject, type Json } from './list-values.js';
import type { ListedModel, ReadList } from './listed-model.js';

/** A difference between the catalog and a price list. `upstream` is the vendor's name of the model. */
export type ListChange =
  | { kind: 'added'; model_id: string; upstream: string; entry: Json }
  | { kind: 'changed'; model_id: string; upstream: string; before: Json; set: Json }
  | { kind: 'retired'; model_id: string; upstream: string; use?: string };

/** The catalog that a price list is compared with. */
export interface ComparedCatalog {
  /** Entries of the installation's catalog file. */
  file: readonly Json[];
  /** Models that the catalog has without the file: those of this package, and the included ones. */
  others: readonly Json[];
}

/** Name of a price list, and the connection that serves its models; absent: the default connection of its provider. */
export interface ComparedList {
  list: string;
  connection?: string | undefined;
}

/** Fields of an entry that a price list decides. */
const PRICE_FIELDS = [
  'metered_in',
  'input_cost_per_million_cents',
  'output_cost_per_million_cents',
  'cache_read_cost_per_million_cents',
  'cache_write_cost_per_million_cents',
  'cache_write_1h_cost_per_million_cents',
  'audio_input_cost_per_million_cents',
  'image_input_cost_per_million_cents',
  'audio_output_cost_per_million_cents',
  'price_per_image_cents',
  'search_cost_per_thousand_cents',
  'request_cost_per_thousand_cents',
  'long_context',
  'service_tiers',
] as const;

/**
 * Returns what a price list changes in a catalog, in the list's order. A price that the list does not have stays: lists leave
 * out much. Models that the list does not have stay, too, unless it says that they are retired.
 */
export function compareLists(
  catalog: ComparedCatalog,
  { list, connection }: ComparedList,
  read: ReadList,
): ListChange[] {
  const known = findKnown(catalog, { list, connection });
  const changes: ListChange[] = [];
  for (const model of read.models) {
    const names = [model.model_id, ...(model.aliases ?? [])];
    const before = names.map((name) => known.get(name)).find((entry) => entry !== undefined);
    if (before) changes.push(...findChange(model, before));
    else changes.push(toAdded(model, { list, connection }));
  }
  for (const { model_id: upstream, use } of read.retired) {
    const before = known.get(upstream);
    if (!before || before.model_id === undefined || before.retired !== undefined) continue;
    const successor = use === undefined ? undefined : known.get(use);
    const advice = successor === undefined ? {} : { use: String(successor.model_id) };
    changes.push({ kind: 'retired', model_id: String(before.model_id), upstream, ...advice });
  }
  return changes;
}

/** Returns the entries of a catalog file after the changes: an entry keeps the fields that they do not name. */
export function applyChanges(file: readonly Json[], changes: readonly ListChange[]): Json[] {
  const entries = new Map(file.map((entry) => [String(entry.model_id), entry]));
  for (const change of changes) entries.set(change.model_id, { ...entries.get(change.model_id), ...toFields(change) });
  return [...entries.values()];
}

function toFields(change: ListChange): Json {
  if (change.kind === 'added') return change.entry;
  if (change.kind === 'changed') return { model_id: change.model_id, ...change.set };
  return { model_id: change.model_id, retired: change.use === undefined ? {} : { use: change.use } };
}

/** The catalog's entries of the list's models, by the vendor's names. */
function findKnown({ file, others }: ComparedCatalog, compared: ComparedList): Map<string, Json> {
  const entries = new Map(others.map((entry) => [String(entry.model_id), entry]));
  for (const entry of file) {
    const id = String(entry.model_id);
    entries.set(id, { ...entries.get(id), ...entry });
  }
  return new Map(
    [...entries.values()].flatMap((entry) => upstreamNames(entry, compared).map((name) => [name, entry] as const)),
  );
}

function upstreamNames(entry: Json, { list, connection }: ComparedList): string[] {
  const id = String(entry.model_id);
  const { provider, aliases, routes } = entry;
  if (!Array.isArray(routes)) {
    const names = Array.isArray(aliases) ? aliases.map(String) : [];
    return connection === undefined && provider === list ? [id, ...names] : [];
  }
  const served = routes.filter(isObject).filter((route) => {
    if (connection !== undefined) return route.connection === connection;
    return route.connection === undefined && (route.provider ?? provider) === list;
  });
  return served.map(({ upstream_model: name }) => String(name));
}

function findChange(model: ListedModel, before: Json): ListChange[] {
  const listed = model as unknown as Json;
  const fields = PRICE_FIELDS.filter((field) => listed[field] !== undefined && !isSame(listed[field], before[field]));
  if (fields.length === 0) return [];
  const pick = (from: Json) => Object.fromEntries(fields.map((field) => [field, from[field]]));
  const shared = { model_id: String(before.model_id), upstream: model.model_id };
  return [{ kind: 'changed', ...shared, before: pick(before), set: pick(listed) }];
}

function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
}

function toAdded({ aliases, ...model }: ListedModel, { list, connection }: ComparedList): ListChange {
  const upstream = model.model_id;
  const id = toCatalogId(upstream, connection);
  const provider = isOwnList(list) ? list : 'custom';
  const route = { provider, ...(connection !== undefined && { connection }), upstream_model: upstream };
  const names = aliases && { aliases: aliases.map((alias) => toCatalogId(alias, connection)) };
  const entry = { ...model, model_id: id, ...names, provider, routes: [route] };
  return { kind: 'added', model_id: id, upstream, entry };
}
