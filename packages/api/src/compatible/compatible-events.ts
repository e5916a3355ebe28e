// Events of the compatible endpoints' streams, as far as they do not depend on the model. Sources: the event types of the
// official libraries `openai` 6.49 and `@anthropic-ai/sdk` 1.11.
import { z } from 'zod';
import { openAiErrorSchema } from '../values/errors.js';

const chatCompletionDelta = z.looseObject({
  role: z.string().optional(),
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.int(),
        id: z.string().optional(),
        type: z.literal('function').optional(),
        function: z.looseObject({ name: z.string().optional(), arguments: z.string().optional() }).optional(),
      }),
    )
    .nullish(),
});

export const chatCompletionChunkSchema = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.int(), delta: chatCompletionDelta, finish_reason: z.string().nullish() })),
  /** In the last chunk. */
  usage: z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }).nullish(),
});

/** The data of one event of `POST /v1/chat/completions`; the last event is `[DONE]`. */
export const chatCompletionEventSchema = z.union([chatCompletionChunkSchema, openAiErrorSchema]);

/** The data of one event of `POST /v1/responses`, for example of the type `response.output_text.delta`. */
export const openAiResponseEventSchema = z.looseObject({ type: z.string(), sequence_number: z.int().optional() });

/** The data of one event of `POST /v1/messages`, for example of the type `content_block_delta`. */
export const anthropicMessageEventSchema = z.looseObject({ type: z.string() });
