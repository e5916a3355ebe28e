import { AppError } from '@tollgate/errors';

/** What a compatible endpoint says of a model that the catalog does not have: 404, as the vendors do. */
export function unknownCompatibleModel(model: string): AppError {
  return new AppError('NOT_FOUND', `the model ${model} does not exist`, {
    fields: [{ field: 'model', message: `unknown model ${model}` }],
  });
}
