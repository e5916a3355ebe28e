import { listCompatibleModelsResponse } from '@tollgate/api';
import { defineRoute } from '../../route.js';
import { toAnthropicModel, toCompatibleModel } from './compatible-model.js';
import { readModels } from './read-models.js';
import { requestIdHeaders } from './request-id-headers.js';

export const listCompatibleModels = defineRoute({
  method: 'GET',
  path: '/v1/models',
  tag: 'Compatible endpoints',
  summary: "Models in OpenAI's shape, or in Anthropic's when `anthropic-version` is sent",
  auth: ['secret_key', 'customer'],
  success: { status: 200, schema: listCompatibleModelsResponse },
  errorShape: 'openai',
  async handler({ headers, call }, ctx) {
    const models = await readModels(ctx, call);
    if (headers['anthropic-version'] === undefined) {
      return { headers: requestIdHeaders(call), body: { object: 'list', data: models.map(toCompatibleModel) } };
    }
    const data = models.map(toAnthropicModel);
    const ends = { first_id: models[0]?.model_id ?? null, last_id: models.at(-1)?.model_id ?? null };
    return { headers: requestIdHeaders(call), body: { data, has_more: false, ...ends } };
  },
});
