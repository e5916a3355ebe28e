import type { Capability, CatalogModel } from './model-record.js';

/** The models this deployment knows. Immutable. */
export interface Catalog {
  /**
   * The model of a bare catalog id or of `provider/model`. With `provider`, or when the prefix names another provider
   * than the model's own, its routes are narrowed to that provider; undefined when it has none there.
   */
  find(modelIdOrProviderSlashModel: string, provider?: string): CatalogModel | undefined;
  /** Models in catalog order, narrowed by the given filters. */
  list(filter?: { provider?: string; capability?: Capability }): readonly CatalogModel[];
  /** What to add to the refusal of a model that `find` does not have: that it is retired, and what to use; else an empty text. */
  adviceOn(name: string): string;
}

/** Indexes complete, distinct records. Retired models are known by name only. */
export function createCatalog(records: readonly CatalogModel[]): Catalog {
  const models = records.filter(({ retired }) => !retired);
  const retired = new Map(
    records.flatMap((model) =>
      model.retired ? [model.model_id, ...listModelNames(model)].map((name) => [name, model]) : [],
    ),
  );
  const byId = new Map(models.map((model) => [model.model_id, model]));
  const byName = new Map<string, CatalogModel>();
  for (const model of models) {
    for (const name of listModelNames(model)) if (!byName.has(name)) byName.set(name, model);
  }
  return {
    find(id, provider) {
      const model = byId.get(id) ?? byName.get(id) ?? findByRoute(byId, byName, id);
      return model && provider !== undefined ? narrowToProvider(model, provider) : model;
    },
    list(filter = {}) {
      const { provider, capability } = filter;
      return models.filter(
        (model) =>
          (provider === undefined || model.provider === provider) &&
          (capability === undefined || model.capabilities.includes(capability)),
      );
    },
    adviceOn(name) {
      const model = retired.get(name);
      if (!model) return '';
      return model.retired?.use === undefined ? ' (retired)' : ` (retired; use ${model.retired.use})`;
    },
  };
}

/** The id without its provider's prefix: `echo-1` of `sandbox/echo-1`. */
export function bareModelId(model: { model_id: string; provider: string }): string {
  const prefix = `${model.provider}/`;
  return model.model_id.startsWith(prefix) ? model.model_id.slice(prefix.length) : model.model_id;
}

/** Every name under which a model is found, in addition to its id. */
export function listModelNames(model: CatalogModel): string[] {
  const { provider, aliases } = model;
  return [bareModelId(model), ...aliases].flatMap((name) => [`${provider}/${name}`, name]);
}

/** `other/model`: a model that is listed under one provider and can also be reached through another. */
function findByRoute(
  byId: ReadonlyMap<string, CatalogModel>,
  byName: ReadonlyMap<string, CatalogModel>,
  id: string,
): CatalogModel | undefined {
  const slash = id.indexOf('/');
  if (slash <= 0) return undefined;
  const bare = id.slice(slash + 1);
  const model = byId.get(bare) ?? byName.get(bare);
  return model && narrowToProvider(model, id.slice(0, slash));
}

function narrowToProvider(model: CatalogModel, provider: string): CatalogModel | undefined {
  const routes = model.routes.filter((route) => route.provider === provider);
  if (routes.length === model.routes.length) return model;
  return routes.length === 0 ? undefined : { ...model, routes };
}
