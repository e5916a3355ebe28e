import { googleModelSchema } from '@tollgate/api/compatible';
import { unknownModel } from '@tollgate/spending';
import { defineRoute } from '../../exchange/route.js';
import { readModels } from '../models/read-models.js';
import { isGoogleCallable, toGoogleModel } from './google-model.js';
import { googleModelParams } from './params.js';

export const getGoogleModel = defineRoute({
  method: 'GET',
  path: '/v1beta/models/:model',
  tag: 'Compatible endpoints',
  summary: "Get a model in Google's format",
  operationId: 'getGoogleModel',
  description:
    'For client libraries that look up a model before they use it. A slash in the id may be written as `%2F`.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-goog-api-key',
  params: googleModelParams,
  success: { status: 200, schema: googleModelSchema },
  errorShape: 'google',
  async handler({ params, call }, ctx) {
    const id = ctx.catalog.find(params.model)?.model_id;
    const models = await readModels(ctx, call, call.principal);
    const model = models.find((each) => each.model_id === id && isGoogleCallable(each));
    if (!model) throw unknownModel(`${params.model}${ctx.catalog.adviceOn(params.model)}`);
    return { body: toGoogleModel(model) };
  },
});
