import { type ImageGenerationResult, imageGenerateBody, imageGenerationResult } from '@tollgate/api';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { GenerateImagesResponse } from '@tollgate/contracts/inference/v1/images_pb.js';
import { AppError, asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { modelOf } from '../../hot/admit-turn.js';
import { admissionOf, askLedger, isUnable, type Spender } from '../../hot/ask-ledger.js';
import { dispatched, releaseHold } from '../../hot/release-hold.js';
import { ownHold } from '../../idempotency-key.js';
import { publicBaseUrl } from '../../public-base-url.js';
import { defineRoute } from '../../route.js';
import { imageUrl } from './image-json.js';

const PATH = '/images/generate';
/** Some models take minutes. */
const TIMEOUT_MS = 300_000;

export const generateImage = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Images',
  summary: 'Generate images; billed per image',
  auth: ['secret_key', 'customer'],
  body: imageGenerateBody,
  bodyClass: 'generating',
  success: { status: 200, schema: imageGenerationResult },
  refusals: [402],
  errorShape: 'images',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: TIMEOUT_MS,
  async handler({ body, principal, call, ids, headers }, ctx) {
    const { model, prompt, n, response_format: format, size = '' } = body;
    if (model === undefined && principal.customerId === '') throw invalid('model', 'model is required');
    const audience = principal.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
    const spender: Spender = { ctx, ids, audience, route: { path: PATH, unknownModel } };
    const baseUrl = format === 'url' ? publicBaseUrl(ctx, headers) : undefined;
    const modelId = await admitImages(spender, model, n, call);
    const isStored = baseUrl !== undefined;
    const imageRequest = { holdId: ids.holdId, modelId, modelName: model ?? modelId, prompt, count: n, isStored, size };
    const answer = await dispatched(spender, call, ctx.clients.images.generateImages(imageRequest, call));
    return { body: resultJson(answer, baseUrl) };
  },
});

/** Reserves funds for the images and returns the admitted model. @throws AppError for a refusal */
async function admitImages(spender: Spender, model: string | undefined, images: number, call: Call): Promise<string> {
  const known = await modelOf(spender.ctx, model, call.requirePrincipal());
  const terms = { model, inputTokensEstimate: 0, maxOutputTokens: undefined, images };
  const decision = await askLedger(spender, terms, call);
  if (isUnable(decision, known, 'image_generation')) {
    throw invalid('model', `${known.model_id} does not generate images`);
  }
  const { modelId } = admissionOf(spender, decision, model, known);
  if (!call.isAborted) return modelId;
  await releaseHold(spender, call, 'CANCELED');
  throw asAppError(call.signal.reason);
}

function resultJson({ model, data }: GenerateImagesResponse, baseUrl: string | undefined): ImageGenerationResult {
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
  return invalid('model', `unknown model: ${model}`);
}

function invalid(field: string, message: string): AppError {
  return new AppError('INVALID_INPUT', message, { fields: [{ field, message }] });
}
