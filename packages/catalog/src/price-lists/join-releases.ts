import type { ListedModel } from './listed-model.js';

/** The end of the id of a dated release. */
const DATED = /^(.+?)[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$/;

/** Makes a dated release an alias of the undated model of the same list, if nothing but the id differs. */
export function joinReleases(models: readonly ListedModel[]): ListedModel[] {
  const byId = new Map(models.map((model) => [model.model_id, { ...model }]));
  for (const model of models) {
    const base = byId.get(DATED.exec(model.model_id)?.[1] ?? '');
    if (!base || describe(base) !== describe(model)) continue;
    base.aliases = [...(base.aliases ?? []), model.model_id];
    byId.delete(model.model_id);
  }
  return [...byId.values()];
}

function describe({ model_id: _id, aliases: _aliases, deprecation_message: _message, ...rest }: ListedModel): string {
  return JSON.stringify(rest);
}
