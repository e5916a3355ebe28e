import { anthropicModelsPageSchema } from '@tollgate/api/compatible';
import {
  type CompatibleModel,
  listAnthropicModelsQuery,
  listCompatibleModelsResponse,
  type Model,
} from '@tollgate/api/model-requests';
import { defineRoute } from '../../exchange/route.js';
import { isAnthropicClient, vendorErrorShape } from '../../paths.js';
import { anthropicPage } from './anthropic-page.js';
import { toCompatibleModel } from './compatible-model.js';
import { readModels } from './read-models.js';

export const listCompatibleModels = defineRoute({
  method: 'GET',
  path: '/v1/models',
  tag: 'Compatible endpoints',
  summary: "List models in OpenAI's format, or in Anthropic's, paginated, when `anthropic-version` is sent",
  operationId: 'listCompatibleModels',
  description: 'For client libraries that list the models of their vendor.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-api-key',
  query: listAnthropicModelsQuery,
  success: { status: 200, schema: listCompatibleModelsResponse },
  alsoAnswers: [{ status: 200, schema: anthropicModelsPageSchema }],
  errorShape: vendorErrorShape,
  async handler({ headers, query, call }, ctx) {
    const models = await readModels(ctx, call, call.principal);
    return { body: isAnthropicClient(headers) ? anthropicPage(models, query) : openAiList(models) };
  },
});

function openAiList(models: readonly Model[]): { object: 'list'; data: CompatibleModel[] } {
  return { object: 'list', data: models.map(toCompatibleModel) };
}
