import { googleModelsPageSchema, listGoogleModelsQuery } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import { defineRoute } from '../../exchange/route.js';
import { readModels } from '../models/read-models.js';
import { isGoogleCallable, toGoogleModel } from './google-model.js';

export const listGoogleModels = defineRoute({
  method: 'GET',
  path: '/v1beta/models',
  tag: 'Compatible endpoints',
  summary: "List models in Google's format",
  operationId: 'listGoogleModels',
  description:
    'For client libraries that list the models of their vendor. Returns one page; `nextPageToken` is absent on the last one.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-goog-api-key',
  query: listGoogleModelsQuery,
  success: { status: 200, schema: googleModelsPageSchema },
  errorShape: 'google',
  async handler({ query: { pageSize, pageToken }, call }, ctx) {
    const models = (await readModels(ctx, call, call.principal)).filter(isGoogleCallable);
    const start = pageToken === undefined ? 0 : models.findIndex(({ model_id: id }) => id === pageToken);
    if (start === -1) throw unknownToken();
    const next = models[start + pageSize];
    return {
      body: {
        models: models.slice(start, start + pageSize).map(toGoogleModel),
        ...(next ? { nextPageToken: next.model_id } : {}),
      },
    };
  },
});

function unknownToken(): AppError {
  const message = 'pageToken is not from an earlier page';
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'pageToken', message }] });
}
