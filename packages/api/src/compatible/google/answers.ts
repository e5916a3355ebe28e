// Answers of the endpoints in Google's dialect, as far as they do not depend on the model. The vendor's client library accepts
// unknown members, and so do these schemas. Source: `@google/genai` 3.1.
import { z } from 'zod';
import { googleErrorSchema } from '../../values/errors.js';
import { queryInteger } from '../../values/paging.js';

const tokens = z.int().min(0);

/** Answer of `:generateContent`, and one event of `:streamGenerateContent`. */
export const googleGenerateResponse = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        content: z
          .looseObject({ role: z.string().optional(), parts: z.array(z.looseObject({})).optional() })
          .optional(),
        finishReason: z.string().optional(),
        index: z.int().optional(),
      }),
    )
    .optional(),
  usageMetadata: z
    .looseObject({
      promptTokenCount: tokens.optional(),
      candidatesTokenCount: tokens.optional(),
      totalTokenCount: tokens.optional(),
    })
    .optional(),
  modelVersion: z.string().optional(),
  responseId: z.string().optional(),
});

/** One event of `:streamGenerateContent`; the last one of a broken stream is an error. */
export const googleGenerateEvent = z.union([googleGenerateResponse, googleErrorSchema]);

/** The same as one list, without `alt=sse`. */
export const googleGenerateEvents = z.array(googleGenerateEvent);

/** A model, and a page of them. */
export const googleModelSchema = z.looseObject({
  name: z.string(),
  baseModelId: z.string(),
  version: z.string(),
  displayName: z.string(),
  description: z.string(),
  inputTokenLimit: z.int(),
  outputTokenLimit: z.int(),
  supportedGenerationMethods: z.array(z.string()),
});
export const googleModelsPageSchema = z.looseObject({
  models: z.array(googleModelSchema),
  nextPageToken: z.string().optional(),
});

const PAGE_SIZE_MAX = 1_000;
const PAGE_SIZE_DEFAULT = 50;

/** Query of `GET /v1beta/models`. */
export const listGoogleModelsQuery = z.object({
  pageSize: queryInteger(0, Number.MAX_SAFE_INTEGER)
    .default(PAGE_SIZE_DEFAULT)
    .transform((size) => (size === 0 ? PAGE_SIZE_DEFAULT : Math.min(size, PAGE_SIZE_MAX))),
  pageToken: z.string().max(256).optional(),
});
