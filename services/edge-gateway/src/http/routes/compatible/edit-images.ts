import { imagesEditsForm, imagesResponse } from '@tollgate/api/compatible';
import { unknownModel } from '@tollgate/spending';
import type { FormFile } from '../../exchange/body/form-body.js';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { IMAGES_TIMEOUT_MS, invalidImages, requestImages } from '../images/request-images.js';
import { checkImageSettings, imagesResult, toImageSize } from './images.js';

const PATH = '/v1/images/edits';
/** OpenAI's own limit. */
const SOURCES_MAX = 16;
const SOURCE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
/** The libraries send several images under the second name. */
const SOURCE_FIELDS = ['image', 'image[]'];

export const editImages = defineRoute({
  method: 'POST',
  path: PATH,
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
      route: { path: PATH, unknownModel },
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
