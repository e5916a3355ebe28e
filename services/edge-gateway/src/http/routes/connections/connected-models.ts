import { bareModelId, type Catalog, isPriced } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';

interface NamedModel {
  model: string;
  upstream_model?: string | undefined;
}

/** A model of the catalog with its name at the vendor. */
export interface ConnectedModel {
  modelId: string;
  upstreamModel: string;
}

/** Returns the models that a connection serves. @throws AppError VALIDATION_ERROR for models that could not be charged */
export function toConnectedModels(catalog: Catalog, models: readonly NamedModel[]): ConnectedModel[] {
  return models.map(({ model: name, upstream_model: upstream }, i) => {
    const model = catalog.find(name);
    if (!model) throw unusable(i, `${name} is unknown; use an id that GET /api/v1/models lists`);
    if (!model.capabilities.includes('text')) throw unusable(i, `${name} does not answer with text`);
    if (!isPriced(model, 'text')) throw unusable(i, `${name} has no price in the catalog; ask the operator to add one`);
    const upstreamModel = upstream ?? model.routes[0]?.upstream_model ?? bareModelId(model);
    return { modelId: model.model_id, upstreamModel };
  });
}

function unusable(i: number, message: string): AppError {
  const field = `models[${i}].model`;
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
