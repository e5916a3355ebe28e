import { type ImageGenerationResult, imageGenerateBody, imageGenerationResult } from '@tollgate/api/model-requests';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { GenerateImagesResponse } from '@tollgate/contracts/inference/v1/images_pb.js';
import { AppError, asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { admit, release, underHold } from '@tollgate/spending';
import { ownHold } from '../../exchange/idempotency-key.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { findModel } from '../../turns/admit-turn.js';
import { isUnable, requireAdmitted, type Spender } from '../../turns/spender.js';
import { imageUrl } from './image-json.js';

const PATH = '/images/generate';
/** Some models take minutes. */
const TIMEOUT_MS = 300_000;

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
  timeoutMs: TIMEOUT_MS,
  async handler({ body, principal, call, ids, record, headers }, ctx) {
    const { model, prompt, n, response_format: format, size = '' } = body;
    if (model === undefined && principal.customerId === '') throw invalid('model', 'model is required');
    const audience = principal.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
    const spender: Spender = { ctx, ids, audience, record, route: { path: PATH, unknownModel } };
    const baseUrl = format === 'url' ? publicBaseUrl(ctx, headers) : undefined;
    const modelId = await admitImages(spender, model, n, call);
    const isStored = baseUrl !== undefined;
    const imageRequest = { holdId: ids.holdId, modelId, modelName: model ?? modelId, prompt, count: n, isStored, size };
    const answer = await underHold(ctx.ledger, ids, call, ctx.clients.images.generateImages(imageRequest, call));
    return { body: resultJson(answer, baseUrl) };
  },
});

/** Holds funds for the images and returns the model that they are held for. @throws AppError for a refusal */
async function admitImages(spender: Spender, model: string | undefined, images: number, call: Call): Promise<string> {
  const { ctx, ids } = spender;
  const known = await findModel(ctx, model, call.requirePrincipal());
  const terms = { hold: ids, model, inputTokens: 0, maxOutputTokens: undefined, images };
  const outcome = await admit(ctx.ledger, terms, call);
  if (isUnable(outcome, known, 'image_generation')) {
    throw invalid('model', `${known.model_id} does not generate images`);
  }
  const { modelId } = requireAdmitted(spender, outcome, call, model, known).admission;
  if (!call.isAborted) return modelId;
  await release(ctx.ledger, ids, 'CANCELED', call);
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
