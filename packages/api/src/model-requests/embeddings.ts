import { z } from 'zod';

const INPUTS_MAX = 2_048;
/** More text than the context window of any model: a token is at most a few dozen characters. */
const CHARS_MAX = 4_000_000;
const TOKENS_MAX = 300_000;

const text = z.string().min(1, 'must not be empty').max(CHARS_MAX);
/** One loop checks the list: a schema per token takes a third of a second for 200,000 tokens. */
const tokens = z.custom<number[]>(isTokenList, 'must be a list of tokens').meta({
  type: 'array',
  items: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  minItems: 1,
  maxItems: TOKENS_MAX,
});
/** Token lists come before text lists, whose schema would report every token as an error. */
const inputs = z
  .union([text, tokens, z.array(text), z.array(tokens)])
  .refine((input) => input.length > 0, 'must not be empty')
  .refine((input) => isOne(input) || input.length <= INPUTS_MAX, `must not have more than ${INPUTS_MAX} entries`);

/** Body of `POST /v1/embeddings`. Source: the request types of the official `openai` client library, version 6.49. */
export const embeddingsBody = z.looseObject({
  model: z.string().min(1).max(256),
  input: inputs,
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(65_536).nullish(),
  user: z.string().nullish(),
});

export const embeddingsResponse = z.object({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      /** Base64 of little-endian 32-bit floats when that was asked for. */
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});

export type EmbeddingsBody = z.output<typeof embeddingsBody>;

function isTokenList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > TOKENS_MAX) return false;
  return value.every((token) => Number.isSafeInteger(token) && token >= 0);
}

/** Returns whether the input is a single text or a single list of tokens. */
function isOne(input: string | readonly unknown[]): boolean {
  return typeof input === 'string' || typeof input[0] === 'number';
}
