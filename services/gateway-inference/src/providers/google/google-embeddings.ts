import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type { EmbeddingCall, MediaAnswer, MediaProvider, MediaUsage } from '../contract/media-provider.js';
import { count, filterObjects, isObject, type Json, parseObject, readRequestId } from '../convert/answer-reading.js';
import { toEncoding } from '../openai/media/embedding-encoding.js';
import type { Upstream } from '../transport/upstream.js';
import { callUpstream } from '../transport/upstream-call.js';
import { modelPath } from './google-path.js';
import { toFailure } from './upstream-error.js';

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** The vendor refuses longer batches. */
const TEXTS_MAX = 100;

/**
 * Embeddings of Gemini's models, asked for and answered in OpenAI's dialect.
 *
 * Source: ai.google.dev/api/embeddings (batchEmbedContents); EmbedContentConfig of `@google/genai` 3.1.
 */
export class GoogleEmbeddings implements MediaProvider {
  readonly id: ProviderId;
  readonly #upstream: Upstream;

  constructor({ id, upstream }: { id: ProviderId; upstream: Upstream }) {
    this.id = id;
    this.#upstream = upstream;
  }

  async embed(call: EmbeddingCall): Promise<MediaAnswer> {
    const texts = readTexts(call.body.input);
    const { headers, body } = await callUpstream(this.#upstream, {
      path: modelPath(call.upstreamModel, 'batchEmbedContents'),
      headers: ['content-type', 'application/json'],
      body: JSON.stringify({ requests: texts.map((text, index) => toRequest(call, text, index)) }),
      signal: call.signal,
      accountId: call.accountId,
      bytesMax: ANSWER_BYTES_MAX,
      readFailure: toFailure.bind(undefined, this.id),
    });
    const answer = parseObject(body.toString('utf8'));
    const providerRequestId = readRequestId(headers);
    const data = filterObjects(answer?.embeddings).map(toItem);
    if (data.length !== texts.length) {
      throw new ProviderFailure({ kind: 'invalid_response', provider: this.id, providerRequestId });
    }
    toEncoding(data, call.body.encoding_format);
    const usage = readUsage(answer, texts);
    const tokens = usage.inputUnits;
    const list = {
      object: 'list',
      data,
      model: call.modelName,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(list)), usage, providerRequestId };
  }

  async moderate(): Promise<never> {
    throw unsupported('moderation');
  }

  async speak(): Promise<never> {
    throw unsupported('speech');
  }

  async transcribe(): Promise<never> {
    throw unsupported('transcription');
  }

  async streamTranscript(): Promise<never> {
    throw unsupported('transcription');
  }
}

function readTexts(input: unknown): string[] {
  const texts = Array.isArray(input) ? input : [input];
  if (!texts.every((text) => typeof text === 'string')) {
    throw invalid('MODEL_CAPABILITY_UNSUPPORTED', 'input must be text for this model: it takes no lists of tokens');
  }
  if (texts.length > TEXTS_MAX)
    throw invalid('VALIDATION_ERROR', `input must have at most ${TEXTS_MAX} texts for this model`);
  return texts;
}

function toRequest(
  { upstreamModel, body: { dimensions }, hints = [] }: EmbeddingCall,
  text: string,
  index: number,
): Json {
  const { taskType = '', title = '' } = hints[index] ?? {};
  return {
    model: `models/${upstreamModel}`,
    content: { parts: [{ text }] },
    ...(taskType && { taskType }),
    ...(title && { title }),
    ...(typeof dimensions === 'number' && { outputDimensionality: dimensions }),
  };
}

function toItem({ values }: Json, index: number): Json {
  return { object: 'embedding', index, embedding: Array.isArray(values) ? values : [] };
}

/** Older models report no usage: a quarter of the bytes of text is charged. */
function readUsage(answer: Json | undefined, texts: readonly string[]): MediaUsage {
  const inputUnits = texts.reduce((total, text) => total + Math.ceil(Buffer.byteLength(text) / 4), 0);
  const estimate = { inputUnits, outputUnits: 0, isEstimated: true };
  const counted = isObject(answer?.usageMetadata) ? count(answer.usageMetadata.promptTokenCount) : undefined;
  return counted === undefined ? estimate : { inputUnits: counted, outputUnits: 0, isEstimated: false, estimate };
}

function unsupported(what: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', `Gemini's API has no ${what} here`);
}

function invalid(code: 'MODEL_CAPABILITY_UNSUPPORTED' | 'VALIDATION_ERROR', message: string): AppError {
  return new AppError(code, message, { fields: [{ field: 'input', message }] });
}
