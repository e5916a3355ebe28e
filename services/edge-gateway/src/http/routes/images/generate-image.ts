import { type ImageGenerationResult, imageGenerateBody, imageGenerationResult } from '@tollgate/api/model-requests';
import type { AppError } from '@tollgate/errors';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { imageUrl } from './image-json.js';
import { IMAGES_TIMEOUT_MS, invalidImages, type RequestedImages, requestImages } from './request-images.js';

const PATH = '/images/generate';

export const generateImage = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Images',
  summary: 'Generate images; billed per image',
  operationId: 'generateImage',
  description: 'Answers with the image data, or with URLs of stored images that expire.',
  auth: ['secret_key', 'customer'],
  body: imageGenerateBody,
  bodyClass: 'generating',
  success: { status: 200, schema: imageGenerationResult },
  refusals: [402],
  errorShape: 'images',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: IMAGES_TIMEOUT_MS,
  async handler(input, ctx) {
    const { model, prompt, n, response_format: format, size = '' } = input.body;
    const route = { path: PATH, unknownModel };
    const request = { route, model, prompt, images: n, size, wantsUrls: format === 'url' };
    const { answer, baseUrl } = await requestImages(ctx, input, request);
    return { body: resultJson(answer, baseUrl) };
  },
});

function resultJson({ model, data }: RequestedImages['answer'], baseUrl: string | undefined): ImageGenerationResult {
  const entries = data.map((image) => ({
    id: image.id,
    ...(baseUrl === undefined
      ? { b64_json: Buffer.from(image.bytes).toString('base64') }
      : { url: imageUrl(baseUrl, image) }),
    mime_type: image.mimeType,
  }));
  return { id: entries[0]!.id, model, data: entries, usage: { images: entries.length } };
}

function unknownModel(model: string): AppError {
  return invalidImages('model', `unknown model: ${model}`);
}
