import {
  type GoogleEmbedBody,
  googleBatchEmbedBody,
  googleBatchEmbedResponse,
  googleEmbedBody,
  googleEmbedResponse,
  googleEmbedText,
} from '@tollgate/api/compatible';
import { estimateEmbeddings } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute, type RouteInput } from '../../exchange/route.js';
import { MEDIA_TIMEOUT_MS, MediaRequest } from '../compatible/media-request.js';
import { googleModelParams } from './models.js';

const EMBED_PATH = '/v1beta/models/:model:embedContent';

export const embedGoogleContent = defineRoute({
  method: 'POST',
  path: EMBED_PATH,
  tag: 'Compatible endpoints',
  summary: "Create the embedding of a text in Google's format",
  operationId: 'embedGoogleContent',
  description:
    'For client libraries that use the embeddings of the Gemini API, with any embedding model of the catalog.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-goog-api-key',
  params: googleModelParams,
  body: googleEmbedBody,
  bodyClass: 'generating',
  success: { status: 200, schema: googleEmbedResponse },
  refusals: [402],
  errorShape: 'google',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: MEDIA_TIMEOUT_MS,
  async handler(input, ctx) {
    const { embeddings, usageMetadata, headers } = await embedTexts(ctx, input, EMBED_PATH, [input.body]);
    return { body: { embedding: embeddings[0], usageMetadata }, headers };
  },
});

const BATCH_PATH = '/v1beta/models/:model:batchEmbedContents';

export const batchEmbedGoogleContents = defineRoute({
  method: 'POST',
  path: BATCH_PATH,
  tag: 'Compatible endpoints',
  summary: "Create embeddings of texts in Google's format",
  operationId: 'batchEmbedGoogleContents',
  description:
    'For client libraries that use the embeddings of the Gemini API, with any embedding model of the catalog.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-goog-api-key',
  params: googleModelParams,
  body: googleBatchEmbedBody,
  bodyClass: 'generating',
  success: { status: 200, schema: googleBatchEmbedResponse },
  refusals: [402],
  errorShape: 'google',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: MEDIA_TIMEOUT_MS,
  async handler(input, ctx) {
    const { headers, ...body } = await embedTexts(ctx, input, BATCH_PATH, input.body.requests);
    return { body, headers };
  },
});

/** The answer in OpenAI's format, in which all providers give embeddings. */
interface Embeddings {
  data: { index: number; embedding: number[] }[];
  usage: { prompt_tokens: number };
}

interface EmbeddedTexts {
  embeddings: { values: number[] }[];
  usageMetadata: { promptTokenCount: number };
  /** Names the hints that the model did not get. */
  headers: Record<string, string>;
}

type Input = RouteInput<{ model: string }, unknown, unknown>;

/**
 * Embeds the text of each request. The hints `taskType` and `title` are passed on to the models that take them, by the catalog,
 * and otherwise named in the header of dropped parameters.
 *
 * @throws AppError for sizes that differ
 */
async function embedTexts(
  ctx: Pick<Context, 'catalog' | 'clients' | 'ledger' | 'tierLimits'>,
  input: Input,
  path: string,
  requests: readonly GoogleEmbedBody[],
): Promise<EmbeddedTexts> {
  const { params, call } = input;
  const dimensions = readDimensions(requests);
  const texts = requests.map(googleEmbedText);
  const request = new MediaRequest(ctx, input, path);
  const admission = await request.admit(params.model, (model) => estimateEmbeddings(model, texts));
  const asked = { model: params.model, input: texts, encoding_format: 'float', ...(dimensions ? { dimensions } : {}) };
  const body = Buffer.from(JSON.stringify(asked));
  const hints = ctx.catalog.find(admission.modelId)?.takes_task_type ? requests.map(toHint) : [];
  const answer = await request.answer(ctx.clients.compat.createEmbeddings({ admission, body, hints }, call));
  const { data, usage } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as Embeddings;
  const inOrder = [...data].sort((a, b) => a.index - b.index);
  return {
    embeddings: inOrder.map(({ embedding }) => ({ values: embedding })),
    usageMetadata: { promptTokenCount: usage.prompt_tokens },
    headers: hints.length > 0 ? {} : droppedHints(requests),
  };
}

function toHint({ taskType, title }: GoogleEmbedBody): { taskType: string; title: string } {
  return { taskType: taskType === 'TASK_TYPE_UNSPECIFIED' ? '' : (taskType ?? ''), title: title ?? '' };
}

function droppedHints(requests: readonly GoogleEmbedBody[]): Record<string, string> {
  const dropped: string[] = [];
  const hints = requests.map(toHint);
  if (hints.some(({ taskType }) => taskType)) dropped.push('taskType');
  if (hints.some(({ title }) => title)) dropped.push('title');
  return dropped.length > 0 ? { 'X-Service-Dropped-Parameters': dropped.join(', ') } : {};
}

/** Returns the one size that all requests ask for. @throws AppError for sizes that differ */
function readDimensions(requests: readonly GoogleEmbedBody[]): number | undefined {
  const [first] = requests;
  const field = 'outputDimensionality';
  if (requests.some(({ outputDimensionality }) => outputDimensionality !== first!.outputDimensionality)) {
    const message = `${field} must be the same in all requests`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
  }
  return first?.outputDimensionality ?? undefined;
}
