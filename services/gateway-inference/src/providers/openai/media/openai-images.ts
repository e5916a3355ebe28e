import type { ProviderId } from '@tollgate/api/model-requests';
import type { GeneratedImage, ImageAnswer, ImageCall, ImageProvider } from '../../contract/image-provider.js';
import { filterObjects, isObject, type Json, parseObject, readRequestId } from '../../convert/answer-reading.js';
import { toImage } from '../../convert/image-bytes.js';
import { toTokenUsage } from '../responses/responses-usage.js';
import type { OpenAiEndpoint } from './openai-endpoint.js';

const PATH = '/images/generations';
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
/** Size and quality of the catalog's price. */
const PRICED_SIZE = '1024x1024';
const PRICED_QUALITY = 'high';

/** `POST /images/generations`: OpenAI, xAI and compatible servers. */
export class OpenAiImages implements ImageProvider {
  readonly #endpoint: OpenAiEndpoint;

  constructor(endpoint: OpenAiEndpoint) {
    this.#endpoint = endpoint;
  }

  get id(): ProviderId {
    return this.#endpoint.id;
  }

  async generateImages(call: ImageCall): Promise<ImageAnswer> {
    const { headers, body } = await this.#endpoint.post(PATH, imagesRequest(call, this.id), call, ANSWER_BYTES_MAX);
    const answer = parseObject(body.toString('utf8'));
    const images = readImages(answer);
    if (images.length === 0) throw this.#endpoint.unreadable(headers);
    const tokens = toTokenUsage(answer?.usage, [], this.id);
    return { images, tokens, providerRequestId: readRequestId(headers) };
  }
}

/**
 * Each model family has its own settings, and rejects those of another family.
 *
 * Sources: ImageGenerateParams of the `openai` client library 6.49; docs.x.ai/docs/guides/image-generations and
 * `xai-image-model` of `@ai-sdk/xai` 3.0 (no sizes there).
 */
export function imagesRequest({ upstreamModel, prompt, n, size }: ImageCall, provider: ProviderId): Json {
  const body: Json = { model: upstreamModel, prompt, n };
  if (provider === 'xai') return { ...body, response_format: 'b64_json' };
  if (upstreamModel.startsWith('gpt-image')) {
    return { ...body, size: size ?? PRICED_SIZE, quality: PRICED_QUALITY, output_format: 'png' };
  }
  return { ...body, size: size ?? PRICED_SIZE, response_format: 'b64_json' };
}

function readImages(answer: Json | undefined): GeneratedImage[] {
  if (!isObject(answer)) return [];
  return filterObjects(answer.data).flatMap(({ b64_json: base64 }) => toImage(base64) ?? []);
}
