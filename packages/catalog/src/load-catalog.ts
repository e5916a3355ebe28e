import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { bareModelId, type Catalog, createCatalog, listModelNames } from './catalog.js';
import { builtInModels } from './data/built-in-models.js';
import { type CatalogModel, modelRecordSchema, providerIds } from './model-record.js';
import { includeSchema } from './price-lists/include.js';
import { type IncludedList, includeModels } from './price-lists/include-models.js';
import type { PriceList } from './price-lists/listed-model.js';
import { loadPriceList } from './price-lists/load-price-list.js';

/** Thrown for an invalid catalog. The message names the entry and every invalid field. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
}

/** Configuration of the catalog. */
export interface CatalogOptions {
  /** `MODEL_CATALOG_FILE`: a JSON file that adds or overrides entries. */
  overrideFile?: string;
  /** Whether the sandbox provider exists (`SANDBOX_PROVIDER`). */
  sandbox: boolean;
  /** Further provider names that entries of the file may use. */
  extraProviders?: readonly string[];
  /**
   * `PROMPT_OVERHEAD_TOKENS`: what the chat templates of the servers add to a prompt, for all models that do not say so.
   * Default: 64 for models that the file adds, because most of them run on other servers than the vendors'.
   */
  promptOverheadTokens?: number | undefined;
}

/**
 * The catalog with the price lists that its file includes. A list is read only where it is included.
 *
 * @throws CatalogError as loadCatalog
 */
export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  const { include } = readOverrides(options.overrideFile);
  const lists = new Map<string, PriceList>();
  for (const { list } of include) lists.set(list, (await loadPriceList(list))!);
  return loadCatalog(options, lists);
}

/** Templates of open models have a preamble of 10 to 40 tokens. */
const PROMPT_OVERHEAD_TOKENS = 64;

type RawEntry = Record<string, unknown>;

/**
 * The reviewed models, changed and extended by the deployment's own file: `{"models": [entry, …], "include": [include, …]}` or the
 * bare array of models. `lists` has the price lists that it includes. An entry with a known `model_id` replaces the fields it has and keeps the rest; `null` removes an optional field. A new
 * one needs model_id, provider, capabilities, context_window and max_output_tokens; its route defaults to its own id at
 * its provider.
 *
 * @throws CatalogError naming the file, the entry and its faulty fields.
 */
export function loadCatalog(options: CatalogOptions, lists: ReadonlyMap<string, PriceList> = new Map()): Catalog {
  const entries = new Map<string, RawEntry>(builtInModels.map((model) => [model.model_id, { ...model }]));
  const { models: overrides, include } = readOverrides(options.overrideFile);
  for (const entry of includeLists(include, lists, options.overrideFile)) entries.set(entry.model_id as string, entry);
  for (const entry of overrides) {
    const id = entry.model_id as string;
    entries.set(id, withoutNulls({ ...entries.get(id), ...entry }));
  }
  for (const entry of overrides) shadow(entries, entry, options.overrideFile);
  const schema = modelRecordSchema([...providerIds, ...(options.extraProviders ?? [])]);
  const source = options.overrideFile ?? 'built-in catalog';
  const models = [...entries.values()].map((entry) => parseEntry(schema, withOverhead(entry, options), source));
  refuseSharedNames(models, source);
  return createCatalog(models.flatMap((model) => (options.sandbox ? [model] : withoutSandbox(model))));
}

interface Overrides {
  models: RawEntry[];
  include: IncludedList[];
}

function readOverrides(file: string | undefined): Overrides {
  if (file === undefined) return { models: [], include: [] };
  const content = parseJsonFile(file);
  const { include = [], models = isObject(content) && 'include' in content ? [] : undefined } = isObject(content)
    ? content
    : { models: content };
  return { models: readEntries(file, models), include: readInclude(file, include) };
}

function readInclude(file: string, include: unknown): IncludedList[] {
  const result = includeSchema.array().max(INCLUDES_MAX).safeParse(include);
  if (result.success) return result.data;
  throw new CatalogError(`${file}: include: ${result.error.issues.map(describe).join('; ')}`);
}

const INCLUDES_MAX = 256;

function includeLists(
  include: IncludedList[],
  lists: ReadonlyMap<string, PriceList>,
  file: string | undefined,
): RawEntry[] {
  return include.flatMap((each) => {
    const prices = lists.get(each.list);
    if (!prices) throw new CatalogError(`${file}: include: price list ${each.list} was not loaded`);
    try {
      return includeModels(each, prices);
    } catch (error) {
      throw new CatalogError(`${file}: include: ${(error as Error).message}`, { cause: error });
    }
  });
}

/** Removes the models that an entry of the file shadows; their names become its aliases. */
function shadow(entries: Map<string, RawEntry>, { model_id: id, shadows }: RawEntry, file: string | undefined): void {
  if (!Array.isArray(shadows)) return;
  const entry = entries.get(id as string)!;
  const names = shadows.flatMap((hidden: unknown) => {
    const model = hidden === id ? undefined : entries.get(String(hidden));
    if (!model)
      throw new CatalogError(`${file}: model ${String(id)}: shadows: there is no other model ${String(hidden)}`);
    entries.delete(String(hidden));
    return [String(hidden), ...((model.aliases as string[] | undefined) ?? [])];
  });
  const { shadows: _shadows, ...kept } = entry;
  entries.set(id as string, { ...kept, aliases: [...((entry.aliases as string[] | undefined) ?? []), ...names] });
}

function readEntries(file: string, list: unknown): RawEntry[] {
  if (!Array.isArray(list)) throw new CatalogError(`${file}: expected an array of models, or {"models": [...]}`);
  const seen = new Set<string>();
  return list.map((entry: unknown, index) => {
    if (!isObject(entry) || typeof entry.model_id !== 'string') {
      throw new CatalogError(`${file}: entry ${index} is not an object with a model_id`);
    }
    if (seen.has(entry.model_id)) throw new CatalogError(`${file}: entry ${index} repeats model ${entry.model_id}`);
    seen.add(entry.model_id);
    return entry;
  });
}

function parseJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CatalogError(`${file}: cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  }
}

function parseEntry(schema: ReturnType<typeof modelRecordSchema>, entry: RawEntry, source: string): CatalogModel {
  const result = schema.safeParse(withDefaults(entry));
  if (result.success) return Object.freeze(result.data);
  throw new CatalogError(`${source}: model ${String(entry.model_id)}: ${result.error.issues.map(describe).join('; ')}`);
}

function withDefaults(entry: RawEntry): RawEntry {
  if (typeof entry.model_id !== 'string' || typeof entry.provider !== 'string') return entry;
  const bare = bareModelId({ model_id: entry.model_id, provider: entry.provider });
  const { provider, routes } = entry;
  const named = Array.isArray(routes) ? { routes: routes.map((route: unknown) => withProvider(route, provider)) } : {};
  return { display_name: bare, routes: [{ provider, upstream_model: bare }], ...entry, ...named };
}

/** A route that names a connection need not name the provider: the connection serves the model's own. */
function withProvider(route: unknown, provider: string): unknown {
  return isObject(route) && route.connection !== undefined ? { provider, ...route } : route;
}

function describe(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}

function withOverhead(entry: RawEntry, { promptOverheadTokens }: CatalogOptions): RawEntry {
  if (entry.provider === 'sandbox') return entry;
  const usual = builtInModels.some(({ model_id }) => model_id === entry.model_id) ? 0 : PROMPT_OVERHEAD_TOKENS;
  return { prompt_overhead_tokens: promptOverheadTokens ?? usual, ...entry };
}

/** Two entries must not share a `provider/model`: it would be undefined which one is billed. */
function refuseSharedNames(models: readonly CatalogModel[], source: string): void {
  const owners = new Map<string, string>();
  for (const model of models) {
    for (const name of listModelNames(model).filter((each) => each.startsWith(`${model.provider}/`))) {
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new CatalogError(`${source}: models ${owner} and ${model.model_id} are both ${name}`);
      owners.set(name, model.model_id);
    }
  }
}

function withoutSandbox(model: CatalogModel): CatalogModel[] {
  if (model.provider === 'sandbox') return [];
  const routes = model.routes.filter((route) => route.provider !== 'sandbox');
  return routes.length === 0 ? [] : [Object.freeze({ ...model, routes })];
}

function withoutNulls(entry: RawEntry): RawEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
}

function isObject(value: unknown): value is RawEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
