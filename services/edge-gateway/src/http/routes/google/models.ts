import { googleModelSchema, googleModelsPageSchema, listGoogleModelsQuery } from '@tollgate/api/compatible';
import type { Model } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { unknownModel } from '@tollgate/spending';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { readModels } from '../models/models.js';

export const googleModelParams = z.object({ model: z.string().min(1).max(256) });

export const googleStreamQuery = z.object({ alt: z.enum(['sse', 'json']).optional() });

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

const TURN_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'];
const EMBEDDING_METHODS = ['embedContent', 'batchEmbedContents'];

/** Renders a catalog model as Google's `GET /v1beta/models` does. Source: `Model` of `@google/genai` 3.1. */
function toGoogleModel(model: Model): Record<string, unknown> {
  return {
    name: `models/${model.model_id}`,
    baseModelId: model.model_id,
    version: '',
    displayName: model.display_name,
    description: model.description,
    inputTokenLimit: model.context_window,
    outputTokenLimit: model.max_output_tokens,
    supportedGenerationMethods: listMethods(model),
  };
}

/** Whether the model answers any method of this dialect. */
function isGoogleCallable(model: Model): boolean {
  return listMethods(model).length > 0;
}

function listMethods({ capabilities, serves }: Model): string[] {
  if (serves === 'embeddings') return EMBEDDING_METHODS;
  return capabilities.includes('text') ? TURN_METHODS : [];
}
