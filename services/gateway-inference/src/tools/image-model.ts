import type { Catalog, CatalogModel } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';

const FIELD = 'tools.image_generation.model';

/** Returns the model of an image_generation tool. @throws AppError if it is unknown or does not generate images */
export function findImageModel(catalog: Catalog, name: string): CatalogModel {
  const model = catalog.find(name);
  if (!model) {
    const message = `unknown model: ${name}`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: FIELD, message }] });
  }
  if (model.capabilities.includes('image_generation')) return model;
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${name} lacks the capability image_generation`);
}
