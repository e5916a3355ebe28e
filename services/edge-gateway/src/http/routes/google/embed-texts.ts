import { type GoogleEmbedBody, googleEmbedText } from '@tollgate/api/compatible';
import { estimateEmbeddings } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import type { RouteInput } from '../../exchange/route.js';
import { MediaRequest } from '../compatible/media-request.js';

/** The answer in OpenAI's format, in which all providers give embeddings. */
interface Embeddings {
  data: { index: number; embedding: number[] }[];
  usage: { prompt_tokens: number };
}

export interface EmbeddedTexts {
  embeddings: { values: number[] }[];
  usageMetadata: { promptTokenCount: number };
}

type Input = RouteInput<{ model: string }, unknown, unknown>;

/** Embeds the text of each request. @throws AppError for options that the providers do not have */
export async function embedTexts(
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
  const answer = await request.answer(ctx.clients.compat.createEmbeddings({ admission, body }, call));
  const { data, usage } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as Embeddings;
  const inOrder = [...data].sort((a, b) => a.index - b.index);
  return {
    embeddings: inOrder.map(({ embedding }) => ({ values: embedding })),
    usageMetadata: { promptTokenCount: usage.prompt_tokens },
  };
}

/** Returns the one size that all requests ask for. @throws AppError for options that the providers do not have */
function readDimensions(requests: readonly GoogleEmbedBody[]): number | undefined {
  const [first] = requests;
  for (const { taskType, title, outputDimensionality } of requests) {
    if (taskType && taskType !== 'TASK_TYPE_UNSPECIFIED')
      throw unsupported('taskType', 'is not supported by this model');
    if (title) throw unsupported('title', 'is not supported by this model');
    if (outputDimensionality !== first!.outputDimensionality) {
      throw unsupported('outputDimensionality', 'must be the same in all requests');
    }
  }
  return first?.outputDimensionality ?? undefined;
}

function unsupported(field: string, why: string): AppError {
  const message = `${field} ${why}`;
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
