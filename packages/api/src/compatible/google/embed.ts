import { z } from 'zod';
import { googleObject } from './contents.js';

/** Bodies of `:embedContent` and `:batchEmbedContents`. Source: `embedContentParametersPrivateToMldev` of `@google/genai` 3.1. */

const REQUESTS_MAX = 2_048;
const PARTS_MAX = 10_000;
const NAME_CHARS_MAX = 256;

const embedded = googleObject({
  content: googleObject({
    parts: z
      .array(googleObject({ text: z.string({ error: 'only texts are supported' }).min(1) }))
      .min(1)
      .max(PARTS_MAX),
  }),
  /** The model is named by the path. */
  model: z.string().max(NAME_CHARS_MAX).nullish(),
  taskType: z.string().max(NAME_CHARS_MAX).nullish(),
  title: z.string().max(NAME_CHARS_MAX).nullish(),
  outputDimensionality: z.int().min(1).max(65_536).nullish(),
});

export const googleEmbedBody = embedded;
export const googleBatchEmbedBody = googleObject({ requests: z.array(embedded).min(1).max(REQUESTS_MAX) });

const contentEmbedding = z.object({ values: z.array(z.number()) });
const usageMetadata = z.object({ promptTokenCount: z.int() });

export const googleEmbedResponse = z.object({ embedding: contentEmbedding, usageMetadata });
export const googleBatchEmbedResponse = z.object({ embeddings: z.array(contentEmbedding), usageMetadata });

export type GoogleEmbedBody = z.output<typeof googleEmbedBody>;
export type GoogleBatchEmbedBody = z.output<typeof googleBatchEmbedBody>;

/** The text of one request. */
export function googleEmbedText({ content }: GoogleEmbedBody): string {
  return content.parts.map(({ text }) => text).join('');
}
