import { z } from 'zod';
import type { RequestInput } from '../model-requests/request-input.js';

// `POST /v1/completions`, the predecessor of chat completions. Sources: CompletionCreateParams and Completion of the official
// `openai` client library 6.49.

/** The vendor's own default. */
const MAX_TOKENS_DEFAULT = 16;
const TOKEN_BOUND_MAX = 2_147_483_647;

const promptRule = 'must be one text: several prompts and lists of tokens are not supported';
const absent = (why: string) => z.null({ error: why }).optional();

export const completionsBody = z.looseObject({
  /** Optional for customers whose tier has a default model. */
  model: z.string().min(1).max(256).optional(),
  prompt: z.union([z.string().min(1), z.array(z.string().min(1)).length(1)], { error: promptRule }),
  max_tokens: z.int().min(1).max(TOKEN_BOUND_MAX).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1).max(128)).max(8)]).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  top_k: z.int().min(-1).max(1_000_000).nullish(),
  n: z.literal(1, { error: 'only one choice per completion is supported: use chat completions' }).nullish(),
  best_of: z.literal(1, { error: 'only the best of one is supported' }).nullish(),
  echo: z.literal(false, { error: 'the prompt is not repeated: send echo: false, or leave it out' }).nullish(),
  logprobs: absent('log probabilities are not supported here: use chat completions'),
  suffix: absent('suffix is not supported: describe the insertion in the prompt'),
});

const tokens = z.int().min(0);
const usage = z.looseObject({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens });

/** The answer, or one event of its stream. */
export const completionSchema = z.looseObject({
  id: z.string(),
  object: z.literal('text_completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      text: z.string(),
      finish_reason: z.enum(['stop', 'length', 'content_filter']).nullable(),
    }),
  ),
  usage: usage.nullish(),
});

export type CompletionsBody = z.output<typeof completionsBody>;

export function completionPrompt({ prompt }: CompletionsBody): string {
  return typeof prompt === 'string' ? prompt : prompt.join('');
}

/** Returns the client's output bound, or the vendor's default. */
export function completionMaxTokens({ max_tokens: bound }: CompletionsBody): number {
  return bound ?? MAX_TOKENS_DEFAULT;
}

/** Converts the input of a completions body. */
export function inputOfCompletion(body: CompletionsBody): RequestInput {
  return { messages: [completionPrompt(body)] };
}
