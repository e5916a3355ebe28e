import type { IncomingHttpHeaders } from 'node:http';
import { anthropicModelSchema } from '@tollgate/api/compatible';
import { compatibleModelSchema, type Model } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { defineRoute, type JsonResult } from '../../exchange/route.js';
import { isAnthropicClient, vendorErrorShape } from '../../paths.js';
import { toAnthropicModel, toCompatibleModel } from './compatible-model.js';
import { readModels } from './read-models.js';

const shared = {
  method: 'GET',
  tag: 'Compatible endpoints',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-api-key',
  success: { status: 200, schema: compatibleModelSchema },
  alsoAnswers: [{ status: 200, schema: anthropicModelSchema }],
  errorShape: vendorErrorShape,
} as const;

export const getCompatibleModel = defineRoute({
  ...shared,
  path: '/v1/models/:model',
  summary: 'Get a model by its percent-encoded catalog id',
  operationId: 'getCompatibleModel',
  description: 'For client libraries that look up a model before they use it. A slash in the id is written as `%2F`.',
  params: z.object({ model: z.string().min(1).max(256) }),
  handler: ({ params, headers, call }, ctx) => answer(ctx, params.model, headers, call),
});

/** For clients that do not encode the slash in an id. */
export const getCompatibleModelOfProvider = defineRoute({
  ...shared,
  path: '/v1/models/:provider/:model',
  summary: 'Get a model by its catalog id',
  operationId: 'getCompatibleModelOfProvider',
  description: 'The same as the endpoint with one segment, for ids whose slash is not encoded.',
  params: z.object({ provider: z.string().min(1).max(128), model: z.string().min(1).max(128) }),
  handler: ({ params, headers, call }, ctx) => answer(ctx, `${params.provider}/${params.model}`, headers, call),
});

async function answer(
  ctx: Pick<Context, 'catalog' | 'clients' | 'tierLimits'>,
  id: string,
  headers: IncomingHttpHeaders,
  call: Call,
): Promise<JsonResult> {
  const model = findModel(await readModels(ctx, call, call.principal), ctx.catalog.find(id)?.model_id ?? id);
  if (!model) {
    const message = `the model ${id}${ctx.catalog.adviceOn(id)} does not exist`;
    throw new AppError('NOT_FOUND', message, { fields: [{ field: 'model', message }] });
  }
  return { body: isAnthropicClient(headers) ? toAnthropicModel(model) : toCompatibleModel(model) };
}

/** Finds a model by catalog id or by `provider/id`. */
function findModel(models: readonly Model[], id: string): Model | undefined {
  return (
    models.find(({ model_id }) => model_id === id) ??
    models.find(({ provider, model_id }) => `${provider}/${model_id}` === id)
  );
}
