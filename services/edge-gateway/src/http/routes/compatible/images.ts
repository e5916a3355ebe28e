import { type ImagesResponseBody, listImageSettings } from '@tollgate/api/compatible';
import type { GenerateImagesResponse } from '@tollgate/contracts/inference/v1/images_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { JsonResult } from '../../exchange/route.js';
import { imageUrl } from '../images/image-json.js';
import type { RequestedImages } from '../images/request-images.js';

/** Returns headers that name the settings that are left out. @throws AppError if the project wants them refused */
export function checkImageSettings(body: Readonly<Record<string, unknown>>, call: Call): Record<string, string> {
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
export function toImageSize(size: string | null | undefined): string {
  return !size || size === 'auto' ? '' : size;
}

export function imagesResult(
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
