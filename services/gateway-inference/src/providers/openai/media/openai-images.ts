import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { FormData } from 'undici';
import type {
  GeneratedImage,
  ImageAnswer,
  ImageCall,
  ImageProvider,
  ImageTokens,
  SourceImage,
} from '../../contract/image-provider.js';
import { count, filterObjects, parseObject, readRequestId } from '../../convert/answer-reading.js';
import { toImage } from '../../convert/file-type.js';
import type { OpenAiEndpoint } from './openai-endpoint.js';

const PATH = '/images/generations';
const EDITS_PATH = '/images/edits';
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
/** Size and quality of the catalog's price. */
const PRICED_SIZE = '1024x1024';
const PRICED_PIXELS_PER_SIDE = 1024;
const PRICED_QUALITY = 'high';

/** `POST /images/generations` and `/images/edits`: OpenAI, xAI and compatible servers. */
export class OpenAiImages implements ImageProvider {
  readonly #endpoint: OpenAiEndpoint;

  constructor(endpoint: OpenAiEndpoint) {
    this.#endpoint = endpoint;
  }

  get id(): ProviderId {
    return this.#endpoint.id;
  }

  async generateImages(call: ImageCall): Promise<ImageAnswer> {
    const sent = call.edited ? this.#toForm(call, call.edited) : imagesRequest(call, this.id);
    const path = call.edited ? EDITS_PATH : PATH;
    const { headers, body } = await this.#endpoint.post(path, sent, call, ANSWER_BYTES_MAX);
    const answer = parseObject(body.toString('utf8'));
    const images = readImages(answer);
    if (images.length === 0) throw this.#endpoint.unreadable(headers);
    return { images, tokens: readTokens(answer?.usage), providerRequestId: readRequestId(headers) };
  }

  /** @throws AppError MODEL_CAPABILITY_UNSUPPORTED at xAI, which has no such form */
  #toForm(call: ImageCall, { sources, mask }: NonNullable<ImageCall['edited']>): FormData {
    if (this.id === 'xai') {
      const message = 'this model does not edit images';
      throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'model', message }] });
    }
    const form = new FormData();
    for (const [name, value] of Object.entries(imagesRequest(call, this.id))) form.append(name, String(value));
    const name = sources.length === 1 ? 'image' : 'image[]';
    for (const source of sources) form.append(name, toFile(source));
    if (mask) form.append('mask', toFile(mask));
    return form;
  }
}

/**
 * Each model family has its own settings, and rejects those of another family.
 *
 * @throws AppError MODEL_CAPABILITY_UNSUPPORTED for a size that costs more than the price
 *
 * Sources: ImageGenerateParams of the `openai` client library 6.49; docs.x.ai/docs/guides/image-generations and
 * `xai-image-model` of `@ai-sdk/xai` 3.0 (no sizes there).
 */
export function imagesRequest({ upstreamModel, prompt, n, size }: ImageCall, provider: ProviderId): JsonObject {
  const body: JsonObject = { model: upstreamModel, prompt, n };
  if (provider === 'xai') return { ...body, response_format: 'b64_json' };
  const asked = size ?? PRICED_SIZE;
  refuseUnpriced(asked);
  if (upstreamModel.startsWith('gpt-image')) {
    return { ...body, size: asked, quality: PRICED_QUALITY, output_format: 'png' };
  }
  return { ...body, size: asked, response_format: 'b64_json' };
}

function refuseUnpriced(size: string): void {
  if (size.split('x').every((side) => Number(side) <= PRICED_PIXELS_PER_SIDE)) return;
  const message = `size ${size} is not supported: images of this model are priced up to ${PRICED_SIZE}`;
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'size', message }] });
}

function toFile({ bytes, filename, mimeType }: SourceImage): File {
  return new File([bytes], filename, { type: mimeType });
}

/** Source: `ImagesResponse.Usage` of the `openai` client library 6.49. */
function readTokens(usage: unknown): ImageTokens | undefined {
  if (!isJsonObject(usage)) return undefined;
  const inputTokens = count(usage.input_tokens);
  const outputTokens = count(usage.output_tokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const details = isJsonObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const inputImageTokens = count(details.image_tokens) ?? 0;
  const inputTextTokens = count(details.text_tokens) ?? Math.max(0, inputTokens - inputImageTokens);
  return { inputTokens, outputTokens, inputTextTokens, inputImageTokens };
}

function readImages(answer: JsonObject | undefined): GeneratedImage[] {
  if (!isJsonObject(answer)) return [];
  return filterObjects(answer.data).flatMap(({ b64_json: base64 }) => toImage(base64) ?? []);
}
