import type { IncomingHttpHeaders } from 'node:http';
import { anthropicModelSchema, anthropicModelsPageSchema } from '@tollgate/api/compatible';
import {
  type CompatibleModel,
  compatibleModelSchema,
  type ListAnthropicModelsQuery,
  listAnthropicModelsQuery,
  listCompatibleModelsResponse,
  type Model,
} from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { defineRoute, type JsonResult } from '../../exchange/route.js';
import { isAnthropicClient, vendorErrorShape } from '../../paths.js';
import { readModels } from './models.js';

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

/** Renders a catalog model as OpenAI's `GET /v1/models` does. */
function toCompatibleModel(model: Model): CompatibleModel {
  const { capabilities } = model;
  const input = model.serves === 'transcription' ? ['audio'] : ['text'];
  if (model.serves === 'realtime') input.push('audio', 'image');
  if (capabilities.includes('vision')) input.push('image');
  if (capabilities.includes('audio')) input.push('audio');
  if (capabilities.includes('document')) input.push('file');
  return {
    id: model.model_id,
    object: 'model',
    created: createdAt(model),
    owned_by: model.provider,
    context_length: model.context_window,
    architecture: {
      input_modalities: input,
      output_modalities: outputModalities(model),
    },
    supported_parameters: supportedParameters(model),
  };
}

/** Renders a catalog model as Anthropic's `GET /v1/models` does. */
function toAnthropicModel(model: Model): Record<string, unknown> {
  return {
    type: 'model',
    id: model.model_id,
    display_name: model.display_name,
    created_at: new Date(createdAt(model) * 1000).toISOString(),
    max_input_tokens: model.context_window,
    max_tokens: model.max_output_tokens,
    capabilities: null,
    lifecycle: model.deprecated ? 'deprecated' : 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
  };
}

function outputModalities({ capabilities, serves }: Model): string[] {
  if (serves === 'embeddings') return ['embeddings'];
  if (serves === 'speech') return ['audio'];
  if (serves === 'realtime') return ['text', 'audio'];
  return capabilities.includes('image_generation') ? ['image'] : ['text'];
}

/** The catalog has no release date; uses the training cutoff instead. */
function createdAt({ training_cutoff: cutoff }: Model): number {
  const ms = cutoff === undefined ? Number.NaN : Date.parse(cutoff);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

function supportedParameters({ capabilities }: Model): string[] {
  if (!capabilities.includes('text')) return [];
  const names = ['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'stop', 'stream'];
  if (capabilities.includes('tool_use')) names.push('tools', 'tool_choice');
  if (capabilities.includes('structured_output')) names.push('response_format');
  return names;
}

/** Returns a page of the models that serve messages, bounded by the given ids. @throws AppError for an unknown id */
function anthropicPage(models: readonly Model[], query: ListAnthropicModelsQuery): Record<string, unknown> {
  const { limit, after_id: afterId, before_id: beforeId } = query;
  const all = models.filter(({ capabilities }) => capabilities.includes('text'));
  const from = afterId === undefined ? 0 : findPlace(all, afterId, 'after_id') + 1;
  const to = beforeId === undefined ? all.length : findPlace(all, beforeId, 'before_id');
  // With before_id, the page ends directly before the id.
  const start = beforeId !== undefined && afterId === undefined ? Math.max(from, to - limit) : from;
  const end = Math.min(to, start + limit);
  const page = all.slice(start, end);
  return {
    data: page.map(toAnthropicModel),
    has_more: beforeId !== undefined && afterId === undefined ? start > from : end < to,
    first_id: page[0]?.model_id ?? null,
    last_id: page.at(-1)?.model_id ?? null,
  };
}

function findPlace(models: readonly Model[], id: string, field: string): number {
  const place = models.findIndex(({ model_id: modelId }) => modelId === id);
  if (place !== -1) return place;
  const message = `${field} is not a model: ${id}`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
