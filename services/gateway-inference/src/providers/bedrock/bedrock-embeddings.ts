import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type {
  EmbeddingCall,
  MediaAnswer,
  MediaProvider,
  SpeechAnswer,
  TranscriptStream,
} from '../contract/media-provider.js';
import { count, parseObject, readRequestId } from '../convert/answer-reading.js';
import { toEncoding } from '../openai/media/embedding-encoding.js';
import type { Upstream } from '../transport/upstream.js';
import { callUpstream, type WholeAnswer } from '../transport/upstream-call.js';
import { modelPath, toPlainModel } from './bedrock-models.js';
import { toFailure } from './upstream-error.js';

const HEADERS = ['content-type', 'application/json', 'accept', 'application/json'];
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** Most texts of one request. Cohere's models take as many at once, Amazon's one. */
const TEXTS_MAX = 96;
/** Texts that are sent at the same time to a model that takes one at once. */
const AT_ONCE_MAX = 4;

interface Embedded {
  embeddings: unknown[];
  tokens: number | undefined;
  answer: WholeAnswer;
}

/**
 * Embeddings of Bedrock in OpenAI's dialect: Amazon Titan and Cohere by InvokeModel.
 *
 * Source: docs.aws.amazon.com/bedrock/latest/userguide/{model-parameters-titan-embed-text,model-parameters-embed-v3}.html and
 * `bedrock-embedding-model` of `@ai-sdk/amazon-bedrock` 4.0, read 2026-11-30.
 */
export class BedrockEmbeddings implements MediaProvider {
  readonly id: ProviderId;
  readonly #upstream: Upstream;

  constructor({ id, upstream }: { id: ProviderId; upstream: Upstream }) {
    this.id = id;
    this.#upstream = upstream;
  }

  async embed(call: EmbeddingCall): Promise<MediaAnswer> {
    const texts = readTexts(call.body.input);
    const isCohere = toPlainModel(call.upstreamModel).startsWith('cohere.');
    const parts = isCohere ? [await this.#invoke(call, cohereBody(call, texts))] : await this.#embedEach(call, texts);
    const data = parts.flatMap(({ embeddings }) => embeddings);
    if (data.length !== texts.length) throw this.#unreadable(parts[0]?.answer);
    const list = data.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    toEncoding(list, call.body.encoding_format);
    const isCounted = parts.every(({ tokens }) => tokens !== undefined);
    const estimate = texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);
    const tokens = isCounted ? parts.reduce((sum, part) => sum + part.tokens!, 0) : estimate;
    const body = {
      object: 'list',
      data: list,
      model: call.modelName,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
    return {
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(body)),
      usage: { inputUnits: tokens, outputUnits: 0, isEstimated: !isCounted },
      providerRequestId: readRequestId(parts[0]?.answer.headers ?? {}),
    };
  }

  moderate(): Promise<MediaAnswer> {
    return Promise.reject(unsupported());
  }

  speak(): Promise<SpeechAnswer> {
    return Promise.reject(unsupported());
  }

  transcribe(): Promise<MediaAnswer> {
    return Promise.reject(unsupported());
  }

  streamTranscript(): Promise<TranscriptStream> {
    return Promise.reject(unsupported());
  }

  async #embedEach(call: EmbeddingCall, texts: readonly string[]): Promise<Embedded[]> {
    const embedded: Embedded[] = [];
    for (let from = 0; from < texts.length; from += AT_ONCE_MAX) {
      const some = texts.slice(from, from + AT_ONCE_MAX);
      embedded.push(...(await Promise.all(some.map((text) => this.#invoke(call, titanBody(call, text))))));
    }
    return embedded;
  }

  async #invoke(call: EmbeddingCall, body: JsonObject): Promise<Embedded> {
    const { upstreamModel, signal, accountId } = call;
    const answer = await callUpstream(this.#upstream, {
      path: modelPath(upstreamModel, 'invoke'),
      headers: HEADERS,
      body: JSON.stringify(body),
      signal,
      accountId,
      bytesMax: ANSWER_BYTES_MAX,
      readFailure: (status, headers, text) => toFailure(this.id, status, headers, text),
    });
    const found = parseObject(answer.body.toString('utf8'));
    const embeddings = found && readEmbeddings(found);
    if (!embeddings) throw this.#unreadable(answer);
    const counted = Number(answer.headers['x-amzn-bedrock-input-token-count'] ?? Number.NaN);
    return { embeddings, tokens: count(found.inputTextTokenCount) ?? count(counted), answer };
  }

  #unreadable(answer: WholeAnswer | undefined): ProviderFailure {
    const providerRequestId = readRequestId(answer?.headers ?? {});
    return new ProviderFailure({ kind: 'invalid_response', provider: this.id, providerRequestId });
  }
}

function readTexts(input: unknown): string[] {
  const texts = typeof input === 'string' ? [input] : input;
  if (!Array.isArray(texts) || !texts.every((text): text is string => typeof text === 'string')) {
    throw refused('input', 'this model takes texts, not tokens');
  }
  if (texts.length > TEXTS_MAX) throw refused('input', `this model takes at most ${TEXTS_MAX} texts at once`);
  return texts;
}

function titanBody({ body: { dimensions }, upstreamModel }: EmbeddingCall, text: string): JsonObject {
  const isSized = dimensions !== undefined && dimensions !== null;
  if (isSized && !toPlainModel(upstreamModel).startsWith('amazon.titan-embed-text-v2')) {
    throw refused('dimensions', 'this model has one size');
  }
  return { inputText: text, ...(isSized ? { dimensions } : {}) };
}

/** Cohere's models require the purpose; OpenAI's dialect has none, and texts are stored more often than searched for. */
function cohereBody({ body: { dimensions } }: EmbeddingCall, texts: readonly string[]): JsonObject {
  const isSized = dimensions !== undefined && dimensions !== null;
  return {
    texts,
    input_type: 'search_document',
    embedding_types: ['float'],
    ...(isSized ? { output_dimension: dimensions } : {}),
  };
}

/** Returns the vectors: `embedding` (Titan), `embeddings` as a list (Cohere v3) or by type (Cohere, if types are asked for). */
function readEmbeddings({ embedding, embeddings }: JsonObject): unknown[] | undefined {
  if (Array.isArray(embedding)) return [embedding];
  if (Array.isArray(embeddings)) return embeddings;
  const floats = (embeddings as { float?: unknown } | undefined)?.float;
  return Array.isArray(floats) ? floats : undefined;
}

function unsupported(): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', 'this provider has embeddings only');
}

function refused(field: string, message: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field, message }] });
}
