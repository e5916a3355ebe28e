import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type {
  GeneratedImage,
  ImageAnswer,
  ImageCall,
  ImageProvider,
  ImageTokens,
  SourceImage,
} from '../contract/image-provider.js';
import { filterObjects, parseObject, readRequestId, textOrUndefined } from '../convert/answer-reading.js';
import { toImage } from '../convert/file-type.js';
import type { Upstream } from '../transport/upstream.js';
import { callUpstream } from '../transport/upstream-call.js';
import { toTokenUsage } from './generate-answer.js';
import { modelPath } from './google-provider.js';
import { toFailure } from './upstream-error.js';

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** The resolution of the catalog's price. */
const PRICED_IMAGE_SIZE = '1K';
/** Concurrent requests of one call: the vendor generates one image per request. */
const PARALLEL_MAX = 4;

/** Sizes in the aspect ratios that the vendor supports. */
const ratios: Record<string, string> = {
  '1024x1024': '1:1',
  '1024x1536': '2:3',
  '1536x1024': '3:2',
  '1024x1792': '9:16',
  '1792x1024': '16:9',
};

interface OneImage {
  image: GeneratedImage;
  tokens: ImageTokens | undefined;
  providerRequestId: string | undefined;
}

/**
 * Generates images by generateContent of Gemini's image models.
 *
 * Source: ai.google.dev/gemini-api/docs/image-generation; ImageConfig of `@google/genai` 2.32.
 */
export class GoogleImages implements ImageProvider {
  readonly id: ProviderId;
  readonly #upstream: Upstream;

  constructor({ id, upstream }: { id: ProviderId; upstream: Upstream }) {
    this.id = id;
    this.#upstream = upstream;
  }

  /** Leaves withheld images out. The call fails only if all were withheld. */
  async generateImages(call: ImageCall): Promise<ImageAnswer> {
    const body = JSON.stringify(imageRequest(call));
    const made: OneImage[] = [];
    let failure: unknown;
    for (let left = call.n; left > 0; left -= PARALLEL_MAX) {
      const batch = Array.from({ length: Math.min(left, PARALLEL_MAX) }, () => this.#make(call, body));
      for (const outcome of await Promise.allSettled(batch)) {
        if (outcome.status === 'fulfilled') made.push(outcome.value);
        else failure ??= outcome.reason;
      }
      if (failure !== undefined) break;
    }
    call.signal.throwIfAborted();
    if (made.length === 0) throw failure;
    return {
      images: made.map(({ image }) => image),
      tokens: made.map(({ tokens }) => tokens).reduce(sum),
      providerRequestId: made[0]!.providerRequestId,
    };
  }

  async #make(call: ImageCall, requestBody: string): Promise<OneImage> {
    const { headers, body } = await callUpstream(this.#upstream, {
      path: modelPath(call.upstreamModel, 'generateContent'),
      headers: ['content-type', 'application/json'],
      body: requestBody,
      signal: call.signal,
      accountId: call.accountId,
      bytesMax: ANSWER_BYTES_MAX,
      readFailure: toFailure.bind(undefined, this.id),
    });
    const answer = parseObject(body.toString('utf8'));
    const image = answer && readImage(answer);
    const providerRequestId = readRequestId(headers);
    if (!image) throw withheld(this.id, answer, providerRequestId);
    return { image, tokens: readTokens(answer.usageMetadata), providerRequestId };
  }
}

export function imageRequest({ prompt, size, edited }: ImageCall): JsonObject {
  if (edited?.mask) {
    const message = 'mask is not supported by this model: say in the prompt what to change';
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'mask', message }] });
  }
  const sources = edited?.sources ?? [];
  const aspectRatio = size === undefined ? undefined : ratios[size];
  if (size !== undefined && aspectRatio === undefined) {
    const message = `size must be one of ${Object.keys(ratios).join(', ')} for this model`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'size', message }] });
  }
  const imageConfig = { imageSize: PRICED_IMAGE_SIZE, ...(aspectRatio === undefined ? {} : { aspectRatio }) };
  return {
    contents: [{ role: 'user', parts: [{ text: prompt }, ...sources.map(toPart)] }],
    generationConfig: { responseModalities: ['IMAGE'], imageConfig },
  };
}

function toPart({ bytes, mimeType }: SourceImage): JsonObject {
  return { inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') } };
}

function readImage(answer: JsonObject): GeneratedImage | undefined {
  const [candidate] = filterObjects(answer.candidates);
  const parts = candidate && isJsonObject(candidate.content) ? filterObjects(candidate.content.parts) : [];
  for (const { inlineData, thought } of parts) {
    // Drafts of a reasoning model are not part of the answer.
    const image = isJsonObject(inlineData) && thought !== true ? toImage(inlineData.data) : undefined;
    if (image) return image;
  }
  return undefined;
}

/** Returns the failure of an answer without an image. If the prompt or the image was filtered, no other route is tried. */
function withheld(
  provider: ProviderId,
  answer: JsonObject | undefined,
  providerRequestId: string | undefined,
): ProviderFailure {
  const [candidate] = filterObjects(answer?.candidates);
  const feedback = isJsonObject(answer?.promptFeedback) ? answer.promptFeedback : {};
  const reason = textOrUndefined(feedback.blockReason) ?? textOrUndefined(candidate?.finishReason);
  if (reason === undefined) return new ProviderFailure({ kind: 'invalid_response', provider, providerRequestId });
  const detail = `no image was made: ${reason}`;
  return new ProviderFailure({ kind: 'response', provider, status: 400, detail, providerRequestId });
}

/** The prompt's text and images are not counted apart. */
function readTokens(metadata: unknown): ImageTokens | undefined {
  const usage = toTokenUsage(metadata);
  if (!usage) return undefined;
  const { inputTokens, outputTokens } = usage;
  return { inputTokens, outputTokens, inputTextTokens: inputTokens, inputImageTokens: 0 };
}

function sum(total: ImageTokens | undefined, more: ImageTokens | undefined): ImageTokens | undefined {
  if (!total || !more) return total ?? more;
  return {
    inputTokens: total.inputTokens + more.inputTokens,
    outputTokens: total.outputTokens + more.outputTokens,
    inputTextTokens: total.inputTextTokens + more.inputTextTokens,
    inputImageTokens: total.inputImageTokens + more.inputImageTokens,
  };
}
