import { z } from 'zod';

// Sources: ModerationCreateParams and ModerationCreateResponse of the official `openai` client library 6.49.

const INPUTS_MAX = 256;
const TEXT_CHARS_MAX = 1_000_000;

const text = z.string().max(TEXT_CHARS_MAX);
const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text }),
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.looseObject({ url: z.string().regex(/^(data:|https:\/\/)/i, 'must be a data: or https: URL') }),
  }),
]);

/** The model of a request that names none, as at the vendor. */
export const DEFAULT_MODERATION_MODEL = 'omni-moderation-latest';

/** Body of `POST /v1/moderations`. */
export const moderationsBody = z.looseObject({
  model: z.string().min(1).max(256).nullish(),
  input: z.union([text, z.array(text).min(1).max(INPUTS_MAX), z.array(part).min(1).max(INPUTS_MAX)]),
});

export const moderationsResponse = z.looseObject({
  id: z.string(),
  model: z.string(),
  results: z.array(
    z.looseObject({
      flagged: z.boolean(),
      categories: z.record(z.string(), z.boolean().nullable()),
      category_scores: z.record(z.string(), z.number()),
    }),
  ),
});

export type ModerationsBody = z.output<typeof moderationsBody>;
