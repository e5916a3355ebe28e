import type { ProviderId } from '@tollgate/api';
import { ProviderFailure } from '../../../domain/provider-failure.js';
import type { GeneratedImage, ImageAnswer, ImageCall, ImageProvider } from '../../contract/image-provider.js';
import { isObject, type Json, objectsOf, parseObject, requestIdOf } from '../../convert/answer-reading.js';
import { toImage } from '../../convert/image-bytes.js';
import type { Upstream } from '../../transport/upstream.js';
import { callUpstream } from '../../transport/upstream-call.js';
import { toTokenUsage } from '../responses/responses-usage.js';
import { toFailure } from '../upstream-error.js';

const PATH = '/images/generations';
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
/** Size and quality that the catalog's price is for. */
const PRICED_SIZE = '1024x1024';
const PRICED_QUALITY = 'high';

/** `POST /images/generations`: OpenAI, xAI and compatible servers. */
export class OpenAiImages implements ImageProvider {
  readonly id: ProviderId;
  readonly #upstream: Upstream;
  readonly #headers: string[];

  /** `headers` are a flat list with the credential. */
  constructor(id: ProviderId, upstream: Upstream, headers: string[]) {
    this.id = id;
    this.#upstream = upstream;
    this.#headers = headers;
  }

  async generateImages(call: ImageCall): Promise<ImageAnswer> {
    const { headers, body } = await callUpstream(this.#upstream, {
      path: PATH,
      headers: [...this.#headers, 'content-type', 'application/json', 'x-client-request-id', call.holdId],
      body: JSON.stringify(imagesRequest(call, this.id)),
      signal: call.signal,
      accountId: call.accountId,
      bytesMax: ANSWER_BYTES_MAX,
      readFailure: (status, head, text) => toFailure(this.id, status, head, text),
    });
    const answer = parseObject(body.toString('utf8'));
    const images = imagesOf(answer);
    const providerRequestId = requestIdOf(headers);
    if (images.length === 0) {
      throw new ProviderFailure({ kind: 'invalid_response', provider: this.id, providerRequestId });
    }
    return { images, tokens: toTokenUsage(answer?.usage, [], this.id), providerRequestId };
  }
}

/**
 * Each family has its own settings; another family's are refused.
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

function imagesOf(answer: Json | undefined): GeneratedImage[] {
  if (!isObject(answer)) return [];
  return objectsOf(answer.data).flatMap(({ b64_json: base64 }) => toImage(base64) ?? []);
}
