import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { count, filterObjects } from '../convert/answer-reading.js';
import { type EmbeddedTexts, type EmbedTexts, embeddingOptions } from '../google/google-embeddings.js';

/** Texts that are sent at the same time to a model that takes one at once. */
const AT_ONCE_MAX = 4;

/**
 * Embeddings of Vertex AI: `predict` for models of embeddings, of which Gemini's take one text at once, and `embedContent` for newer ones
 * of Gemini.
 *
 * Source: `embedContentParametersPrivateToVertex`, `embedContentResponseFromVertex` and `tIsVertexEmbedContentModel` of `@google/genai`
 * 2.32; cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api, read 2026-11-30.
 */
export const embedByVertex: EmbedTexts = async (ask, call, texts) => {
  const model = call.upstreamModel;
  if (!model.includes('gemini')) return readPredictions(await ask('predict', toInstances(call, texts)));
  const isPredicted = model === 'gemini-embedding-001';
  const parts: EmbeddedTexts[] = [];
  for (let from = 0; from < texts.length; from += AT_ONCE_MAX) {
    const some = texts.slice(from, from + AT_ONCE_MAX).map(async (text, place) => {
      if (isPredicted) return readPredictions(await ask('predict', toInstances(call, [text], from + place)));
      return readContent(await ask('embedContent', toContent(call, text, from + place)));
    });
    parts.push(...(await Promise.all(some)));
  }
  const isCounted = parts.every(({ tokens }) => tokens !== undefined);
  return {
    vectors: parts.flatMap(({ vectors }) => vectors),
    tokens: isCounted ? parts.reduce((sum, { tokens }) => sum + tokens!, 0) : undefined,
    headers: parts[0]?.headers ?? {},
  };
};

type Call = Parameters<EmbedTexts>[1];
type Reply = Awaited<ReturnType<Parameters<EmbedTexts>[0]>>;

/** `first`: the place of the first text among all. */
function toInstances(call: Call, texts: readonly string[], first = 0): JsonObject {
  const { outputDimensionality } = embeddingOptions(call, first);
  const instances = texts.map((content, place) => {
    const { taskType, title } = embeddingOptions(call, first + place);
    return { content, ...(taskType !== undefined && { task_type: taskType }), ...(title !== undefined && { title }) };
  });
  return { instances, ...(outputDimensionality !== undefined && { parameters: { outputDimensionality } }) };
}

function readPredictions({ headers, body }: Reply): EmbeddedTexts {
  const vectors = filterObjects(body.predictions).map(({ embeddings }) => (isJsonObject(embeddings) ? embeddings : {}));
  const counts = vectors.map(({ statistics }) =>
    isJsonObject(statistics) ? count(statistics.token_count) : undefined,
  );
  const isCounted = counts.every((tokens) => tokens !== undefined);
  return { vectors, tokens: isCounted ? counts.reduce<number>((sum, tokens) => sum + tokens!, 0) : undefined, headers };
}

function toContent(call: Call, text: string, index: number): JsonObject {
  const config = embeddingOptions(call, index);
  const content = { parts: [{ text }] };
  return { content, ...(Object.keys(config).length > 0 && { embedContentConfig: config }) };
}

function readContent({ headers, body: { embedding, usageMetadata } }: Reply): EmbeddedTexts {
  const tokens = isJsonObject(usageMetadata) ? count(usageMetadata.promptTokenCount) : undefined;
  return { vectors: isJsonObject(embedding) ? [embedding] : [], tokens, headers };
}
