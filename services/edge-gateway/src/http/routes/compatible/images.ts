import {
  type ImagesResponseBody,
  imagesEditsForm,
  imagesGenerationsBody,
  imagesResponse,
  listImageSettings,
} from '@tollgate/api/compatible';
import type { GenerateImagesResponse } from '@tollgate/contracts/inference/v1/images_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { unknownModel } from '@tollgate/spending';
import type { FormFile } from '../../exchange/body/form-body.js';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute, type JsonResult } from '../../exchange/route.js';
import { imageUrl } from '../images/images.js';
import { IMAGES_TIMEOUT_MS, invalidImages, type RequestedImages, requestImages } from '../images/request-images.js';

const GENERATIONS_PATH = '/v1/images/generations';

export const createImages = defineRoute({
  method: 'POST',
  path: GENERATIONS_PATH,
  tag: 'Compatible endpoints',
  summary: "Generate images in OpenAI's dialect; billed per image",
  operationId: 'createImages',
  description:
    'For client libraries that use the images protocol of OpenAI. `response_format: url` answers with URLs of stored images that expire. Images are made at the quality of their price: other settings are refused, or dropped by a setting of the project.',
  auth: ['secret_key', 'customer'],
  body: imagesGenerationsBody,
  bodyClass: 'generating',
  success: { status: 200, schema: imagesResponse },
  hasOptionalParameters: true,
  refusals: [402],
  errorShape: 'openai',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: IMAGES_TIMEOUT_MS,
  async handler(input, ctx) {
    const { model, prompt, n, size, response_format: format } = input.body;
    const headers = checkImageSettings(input.body, input.call);
    const made = await requestImages(ctx, input, {
      route: { path: GENERATIONS_PATH, unknownModel },
      model,
      prompt,
      images: n ?? 1,
      size: toImageSize(size),
      wantsUrls: format === 'url',
    });
    return imagesResult(made, ctx.clock.now(), headers);
  },
});

const EDITS_PATH = '/v1/images/edits';
/** OpenAI's own limit. */
const SOURCES_MAX = 16;
const SOURCE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
/** The libraries send several images under the second name. */
const SOURCE_FIELDS = ['image', 'image[]'];

export const editImages = defineRoute({
  method: 'POST',
  path: EDITS_PATH,
  tag: 'Compatible endpoints',
  summary: "Generate images from other images in OpenAI's dialect; billed per generated image",
  operationId: 'editImages',
  description: `The form has the images to start from as \`image\`, or up to ${SOURCES_MAX} as \`image[]\`, and an optional \`mask\`. The model’s provider decides which it supports.`,
  auth: ['secret_key', 'customer'],
  takesForm: true,
  formFiles: {
    max: SOURCES_MAX + 1,
    fields: { image: 'The image to start from', mask: 'Transparent where the image is to be replaced' },
  },
  body: imagesEditsForm,
  bodyClass: 'generating',
  success: { status: 200, schema: imagesResponse },
  hasOptionalParameters: true,
  refusals: [402],
  errorShape: 'openai',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: IMAGES_TIMEOUT_MS,
  async handler(input, ctx) {
    const { model, prompt, n, size, response_format: format } = input.body;
    const edited = sortFiles(input.form?.files ?? []);
    const headers = checkImageSettings(input.body, input.call);
    const made = await requestImages(ctx, input, {
      route: { path: EDITS_PATH, unknownModel },
      model,
      prompt,
      images: Number(n ?? 1),
      size: toImageSize(size),
      wantsUrls: format === 'url',
      edited,
    });
    return imagesResult(made, ctx.clock.now(), headers);
  },
});

/** @throws AppError INVALID_INPUT for other files than images to edit and one mask */
function sortFiles(files: readonly FormFile[]): { sources: FormFile[]; mask: FormFile | undefined } {
  const sources: FormFile[] = [];
  let mask: FormFile | undefined;
  for (const file of files) {
    const { name, mimeType, bytes } = file;
    if (bytes.length === 0) throw invalidImages(name, `${name} is empty`);
    if (!SOURCE_TYPES.includes(mimeType)) throw invalidImages(name, `${name} must be a PNG, JPEG or WebP image`);
    if (SOURCE_FIELDS.includes(name)) sources.push(file);
    else if (name === 'mask' && mask === undefined) mask = file;
    else throw invalidImages(name, `${name} is not a file of this form`);
  }
  if (sources.length === 0) throw invalidImages('image', 'image is required');
  if (sources.length > SOURCES_MAX) throw invalidImages('image', `at most ${SOURCES_MAX} images can be edited at once`);
  return { sources, mask };
}

/** Returns headers that name the settings that are left out. @throws AppError if the project wants them refused */
function checkImageSettings(body: Readonly<Record<string, unknown>>, call: Call): Record<string, string> {
  const settings = listImageSettings(body);
  const [first] = settings;
  if (first === undefined) return {};
  if (call.requirePrincipal().dropsUnsupportedParameters) {
    return { 'X-Service-Dropped-Parameters': settings.join(', ') };
  }
  const message = `${first} is not supported: images are made and priced at one quality, as PNG`;
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: first, message }] });
}

/** Returns the size to ask for: empty for the size of the price. */
function toImageSize(size: string | null | undefined): string {
  return !size || size === 'auto' ? '' : size;
}

function imagesResult(
  { answer, baseUrl }: RequestedImages,
  createdAt: Date,
  headers: Record<string, string>,
): JsonResult {
  const { data, tokens } = answer;
  const body: ImagesResponseBody = {
    created: Math.floor(createdAt.getTime() / 1000),
    data: data.map((image) =>
      baseUrl === undefined
        ? { b64_json: Buffer.from(image.bytes).toString('base64') }
        : { url: imageUrl(baseUrl, image) },
    ),
    ...(data[0] && { output_format: data[0].mimeType.replace('image/', '') }),
    ...(tokens && { usage: usageJson(tokens) }),
  };
  return { body, headers };
}

function usageJson(tokens: NonNullable<GenerateImagesResponse['tokens']>): NonNullable<ImagesResponseBody['usage']> {
  const input = Number(tokens.inputTokens);
  const output = Number(tokens.outputTokens);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: {
      text_tokens: Number(tokens.inputTextTokens),
      image_tokens: Number(tokens.inputImageTokens),
    },
  };
}
