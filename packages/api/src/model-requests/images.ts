import { z } from 'zod';

const PROMPT_CHARS_MAX = 32_000;
const IMAGES_MAX = 10;

/** `POST /images/generate` */
export const imageGenerateBody = z.object({
  /** Optional for customers whose tier has a default model. */
  model: z.string().min(1).max(256).optional(),
  prompt: z.string().min(1).max(PROMPT_CHARS_MAX),
  /** `url` needs image storage. */
  response_format: z.enum(['url', 'b64_json']).default('url'),
  n: z.int().min(1).max(IMAGES_MAX).default(1),
  /** `WIDTHxHEIGHT`, if the model's provider supports it; the catalog's price is for its usual size. */
  size: z
    .string()
    .regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/, 'must be WIDTHxHEIGHT')
    .optional(),
});

/**
 * ImageData: `url` or `b64_json`, as requested. Only images with a `url` are stored and can be read or pinned by id.
 */
export const imageData = z.object({
  id: z.guid(),
  url: z.string().optional(),
  b64_json: z.string().optional(),
  mime_type: z.string(),
});

/** Image generation result; its id is the first entry's. */
export const imageGenerationResult = z.object({
  id: z.guid(),
  model: z.string(),
  data: z.array(imageData),
  usage: z.object({ images: z.int() }),
});

/** Answer of `GET /images/{id}` and of pinning. `expires_at` is absent while pinned. */
export const storedImage = z.object({
  id: z.guid(),
  pinned: z.boolean(),
  url: z.string(),
  expires_at: z.iso.datetime().optional(),
});

export const imageFileQuery = z.object({ token: z.string().min(1).max(128) });

export type ImageGenerationResult = z.output<typeof imageGenerationResult>;
export type StoredImageRecord = z.output<typeof storedImage>;
