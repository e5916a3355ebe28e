import { z } from 'zod';

// Bodies and answers of `/v1/images/…`. Sources: ImageGenerateParams, ImageEditParams and ImagesResponse of the official
// `openai` client library 6.49.

const PROMPT_CHARS_MAX = 32_000;
const IMAGES_MAX = 10;
const NAME_CHARS_MAX = 256;

/** Images have one price each, so settings that change what the vendor asks for them are not free to choose. */
const setting = z.string().max(32).nullish();

/** Settings of a request that are checked by `listImageSettings`. */
const settings = {
  quality: setting,
  background: setting,
  moderation: setting,
  output_format: setting,
  style: setting,
  input_fidelity: setting,
};

const size = z.string().regex(/^(auto|[1-9]\d{0,4}x[1-9]\d{0,4})$/, 'must be auto or WIDTHxHEIGHT');
const model = z.string().min(1).max(NAME_CHARS_MAX);
const prompt = z.string().min(1).max(PROMPT_CHARS_MAX);
const format = z.enum(['url', 'b64_json']);

/** Body of `POST /v1/images/generations`. */
export const imagesGenerationsBody = z.looseObject({
  /** Optional for customers whose tier has a default model. */
  model: model.optional(),
  prompt,
  n: z.int().min(1).max(IMAGES_MAX).nullish(),
  size: size.nullish(),
  /** Default: `b64_json`. `url` needs image storage. */
  response_format: format.nullish(),
  ...settings,
  output_compression: z.int().min(0).max(100).nullish(),
  stream: z.literal(false, { error: 'streamed images are not supported' }).nullish(),
  partial_images: z.literal(0, { error: 'partial images are not supported' }).nullish(),
});

/** Fields of the form of `POST /v1/images/edits`, in addition to `image` and `mask`. Forms send text only. */
export const imagesEditsForm = z.looseObject({
  model: model.optional(),
  prompt,
  n: z
    .string()
    .regex(/^([1-9]|10)$/, `must be a number from 1 to ${IMAGES_MAX}`)
    .optional(),
  size: size.optional(),
  response_format: format.optional(),
  ...settings,
  output_compression: z.string().max(8).optional(),
  stream: z.literal('false', { error: 'streamed images are not supported' }).optional(),
  partial_images: z.literal('0', { error: 'partial images are not supported' }).optional(),
});

const tokens = z.int().min(0);

/** Answer of `/v1/images/…`: `url` or `b64_json`, as requested. */
export const imagesResponse = z.looseObject({
  created: z.int(),
  data: z.array(z.looseObject({ b64_json: z.string().optional(), url: z.string().optional() })),
  output_format: z.string().optional(),
  /** The vendor's count, for information: images are billed individually. */
  usage: z
    .looseObject({
      input_tokens: tokens,
      output_tokens: tokens,
      total_tokens: tokens,
      input_tokens_details: z.looseObject({ text_tokens: tokens, image_tokens: tokens }),
    })
    .optional(),
});

/** The values at which images have their price. */
const priced: Record<keyof typeof settings | 'output_compression', readonly unknown[]> = {
  quality: ['auto', 'high'],
  background: ['auto'],
  moderation: ['auto'],
  output_format: ['png'],
  style: [],
  input_fidelity: [],
  output_compression: [100, '100'],
};

/** Returns the settings of a body that differ from those at which images are made and priced. */
export function listImageSettings(body: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(priced).flatMap(([name, values]) => {
    const value = body[name];
    return value === undefined || value === null || values.includes(value) ? [] : [name];
  });
}

export type ImagesGenerationsBody = z.output<typeof imagesGenerationsBody>;
export type ImagesEditsForm = z.output<typeof imagesEditsForm>;
export type ImagesResponseBody = z.output<typeof imagesResponse>;
