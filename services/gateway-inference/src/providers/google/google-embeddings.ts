import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type { EmbeddingCall, MediaAnswer, MediaProvider, MediaUsage } from '../contract/media-provider.js';
import { count, filterObjects, parseObject, readRequestId } from '../convert/answer-reading.js';
import { toEncoding } from '../openai/media/embedding-encoding.js';
import type { Upstream } from '../transport/upstream.js';
import { callUpstream } from '../transport/upstream-call.js';
import { modelPath } from './google-provider.js';
import { toFailure } from './upstream-error.js';

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** The vendor refuses longer batches. */
const TEXTS_MAX = 100;

/** An answer to a request for vectors. */
export interface EmbeddingReply {
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

/** Vectors in the order of their texts, each as `{values}`. */
export interface EmbeddedTexts {
  vectors: JsonObject[];
  /** As the host counted them; undefined if it did not. */
  tokens: number | undefined;
  headers: IncomingHttpHeaders;
}

/** Asks a host for the vectors of texts. `ask` sends the body of one request to a method of the model. */
export type EmbedTexts = (
  ask: (method: string, body: JsonObject) => Promise<EmbeddingReply>,
  call: EmbeddingCall,
  texts: readonly string[],
) => Promise<EmbeddedTexts>;

/** Embeddings of Google's models, asked for and answered in OpenAI's dialect. */
export class GoogleEmbeddings implements MediaProvider {
  readonly id: ProviderId;
  readonly #upstream: Upstream;
  readonly #embedTexts: EmbedTexts;

  /** `embedTexts`: the form of requests at another host than Google AI Studio. */
  constructor({ id, upstream, embedTexts }: { id: ProviderId; upstream: Upstream; embedTexts?: EmbedTexts }) {
    this.id = id;
    this.#upstream = upstream;
    this.#embedTexts = embedTexts ?? embedBatch;
  }

  async embed(call: EmbeddingCall): Promise<MediaAnswer> {
    const texts = readTexts(call.body.input);
    const { vectors, tokens: counted, headers } = await this.#embedTexts(this.#ask.bind(this, call), call, texts);
    const providerRequestId = readRequestId(headers);
    const data = vectors.map(toItem);
    if (data.length !== texts.length) {
      throw new ProviderFailure({ kind: 'invalid_response', provider: this.id, providerRequestId });
    }
    toEncoding(data, call.body.encoding_format);
    const usage = toUsage(counted, texts);
    const tokens = usage.inputUnits;
    const list = {
      object: 'list',
      data,
      model: call.modelName,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(list)), usage, providerRequestId };
  }

  async #ask(call: EmbeddingCall, method: string, body: JsonObject): Promise<EmbeddingReply> {
    const answer = await callUpstream(this.#upstream, {
      path: modelPath(call.upstreamModel, method),
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(body),
      signal: call.signal,
      accountId: call.accountId,
      bytesMax: ANSWER_BYTES_MAX,
      readFailure: toFailure.bind(undefined, this.id),
    });
    return { headers: answer.headers, body: parseObject(answer.body.toString('utf8')) ?? {} };
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

/** Source: ai.google.dev/api/embeddings (batchEmbedContents); EmbedContentConfig of `@google/genai` 3.1. */
const embedBatch: EmbedTexts = async (ask, call, texts) => {
  const { headers, body } = await ask('batchEmbedContents', {
    requests: texts.map((text, index) => ({
      model: `models/${call.upstreamModel}`,
      content: { parts: [{ text }] },
      ...embeddingOptions(call, index),
    })),
  });
  const counted = isJsonObject(body.usageMetadata) ? count(body.usageMetadata.promptTokenCount) : undefined;
  return { vectors: filterObjects(body.embeddings), tokens: counted, headers };
};

/** Returns the hints of a text and the size of its vector, as far as the client states them. */
export function embeddingOptions({ body: { dimensions }, hints = [] }: EmbeddingCall, index: number): JsonObject {
  const { taskType = '', title = '' } = hints[index] ?? {};
  return {
    ...(taskType && { taskType }),
    ...(title && { title }),
    ...(typeof dimensions === 'number' && { outputDimensionality: dimensions }),
  };
}

function toItem({ values }: JsonObject, index: number): JsonObject {
  return { object: 'embedding', index, embedding: Array.isArray(values) ? values : [] };
}

/** Older models report no usage: a quarter of the bytes of text is charged. */
function toUsage(counted: number | undefined, texts: readonly string[]): MediaUsage {
  const inputUnits = texts.reduce((total, text) => total + Math.ceil(Buffer.byteLength(text) / 4), 0);
  const estimate = { inputUnits, outputUnits: 0, isEstimated: true };
  return counted === undefined ? estimate : { inputUnits: counted, outputUnits: 0, isEstimated: false, estimate };
}

function unsupported(what: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', `Gemini's API has no ${what} here`);
}

function invalid(code: 'MODEL_CAPABILITY_UNSUPPORTED' | 'VALIDATION_ERROR', message: string): AppError {
  return new AppError(code, message, { fields: [{ field: 'input', message }] });
}
