import { imagesGenerationsBody, imagesResponse } from '@tollgate/api/compatible';
import { unknownModel } from '@tollgate/spending';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { IMAGES_TIMEOUT_MS, requestImages } from '../images/request-images.js';
import { checkImageSettings, imagesResult, toImageSize } from './images.js';

const PATH = '/v1/images/generations';

export const createImages = defineRoute({
  method: 'POST',
  path: PATH,
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
      route: { path: PATH, unknownModel },
      model,
      prompt,
      images: n ?? 1,
      size: toImageSize(size),
      wantsUrls: format === 'url',
    });
    return imagesResult(made, ctx.clock.now(), headers);
  },
});
