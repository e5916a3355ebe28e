import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { bareModelId, type Catalog, createCatalog, listModelNames } from './catalog.js';
import { anthropicModels } from './data/anthropic.js';
import { googleModels } from './data/google.js';
import { openaiModels } from './data/openai.js';
import { sandboxModels } from './data/sandbox.js';
import { xaiModels } from './data/xai.js';
import { type CatalogModel, type CatalogModelInput, modelRecordSchema, providerIds } from './model-record.js';

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

/** Templates of open models have a preamble of 10 to 40 tokens. */
const PROMPT_OVERHEAD_TOKENS = 64;

type RawEntry = Record<string, unknown>;

/**
 * The reviewed models, changed and extended by the deployment's own file: `{"models": [entry, …]}` or the bare array.
 * An entry with a known `model_id` replaces the fields it has and keeps the rest; `null` removes an optional field. A new
 * one needs model_id, provider, capabilities, context_window and max_output_tokens; its route defaults to its own id at
 * its provider.
 *
 * @throws CatalogError naming the file, the entry and its faulty fields.
 */
export function loadCatalog(options: CatalogOptions): Catalog {
  const entries = new Map<string, RawEntry>(builtInModels.map((model) => [model.model_id, { ...model }]));
  if (options.overrideFile !== undefined) {
    for (const entry of readEntries(options.overrideFile)) {
      const id = entry.model_id as string;
      entries.set(id, withoutNulls({ ...entries.get(id), ...entry }));
    }
  }
  const schema = modelRecordSchema([...providerIds, ...(options.extraProviders ?? [])]);
  const source = options.overrideFile ?? 'built-in catalog';
  const models = [...entries.values()].map((entry) => parseEntry(schema, withOverhead(entry, options), source));
  refuseSharedNames(models, source);
  return createCatalog(models.flatMap((model) => (options.sandbox ? [model] : withoutSandbox(model))));
}

const builtInModels: readonly CatalogModelInput[] = [
  ...openaiModels,
  ...anthropicModels,
  ...googleModels,
  ...xaiModels,
  ...sandboxModels,
];

function readEntries(file: string): RawEntry[] {
  const content = parseJsonFile(file);
  const list = isObject(content) ? content.models : content;
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
