// Answers of the compatible endpoints, as far as they do not depend on the model. The vendors' client libraries accept
// unknown fields, and so do these schemas. Sources: the answer types of the official libraries `openai` 6.49 and
// `@anthropic-ai/sdk` 1.11.
import { z } from 'zod';
import { queryInteger } from '../values/paging.js';

const tokens = z.int().min(0);

/** Answer of `POST /v1/chat/completions`. */
export const chatCompletionSchema = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
        tool_calls: z
          .array(
            z.looseObject({
              id: z.string(),
              type: z.literal('function'),
              function: z.looseObject({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      finish_reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter']),
    }),
  ),
  usage: z.looseObject({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens }),
});

/**
 * Answer of `POST /v1/responses`. Only responses that are made in the background are `queued`, `in_progress`, `failed` or
 * `cancelled`, and have no usage then.
 */
export const compatibleResponseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  status: z.enum(['completed', 'incomplete', 'queued', 'in_progress', 'failed', 'cancelled']),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
  usage: z.looseObject({ input_tokens: tokens, output_tokens: tokens, total_tokens: tokens }).nullable(),
});

/** Answer of `DELETE /v1/responses/{id}`. */
export const deleteCompatibleResponseResponse = z.object({
  id: z.string(),
  object: z.literal('response'),
  deleted: z.literal(true),
});

/** Answer of `GET /v1/responses/{id}/input_items`. */
export const listResponseInputItemsResponse = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

/** Query of `GET /v1/responses/{id}/input_items`. */
export const listResponseInputItemsQuery = z.object({
  limit: queryInteger(1, 100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().min(1).max(256).optional(),
});

/** Query of `GET /v1/responses/{id}`. */
export const getCompatibleResponseQuery = z.object({
  /** Whether the events are streamed, of a background response that was created with `stream: true`. */
  stream: z.enum(['true', '1', 'false', '0']).optional(),
  /** Sequence number of the last event that the client has. */
  starting_after: queryInteger(0, 2_147_483_647).optional(),
});

/** Answer of `POST /v1/messages`. */
export const anthropicMessageSchema = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string(),
  usage: z.looseObject({ input_tokens: tokens, output_tokens: tokens }),
});

/** A model, and a page of them, as Anthropic's client library reads them. */
export const anthropicModelSchema = z.looseObject({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.iso.datetime(),
});
export const anthropicModelsPageSchema = z.looseObject({
  data: z.array(anthropicModelSchema),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});
