import type { CatalogModel } from '@tollgate/catalog';
import { type Admission, MeteredKind } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError, isErrorCode } from '@tollgate/errors';
import { MICROCENTS_PER_CENT } from '@tollgate/money';
import type { Call } from '@tollgate/rpc';
import { type ToolArguments, toolError } from '@tollgate/tools';
import type { Context } from '../context.js';
import { derivedId } from '../domain/derived-id.js';
import type { ToolOutcome } from '../domain/turn-tools.js';
import { generateImages, type MadeImage } from '../operations/generate-images.js';
import { findImageModel } from './image-model.js';
import { toToolError } from './tool-failure.js';
import type { ToolRun } from './tool-run.js';

const ADMIT_TIMEOUT_MS = 10_000;
const RELEASE_TIMEOUT_MS = 10_000;
/** Of one tool call, by whoever repeats it. */
const ATTEMPTS_MAX = 16;

/**
 * `image_generation`: one image, admitted and settled as a request of its own whose id follows from the call's, so that
 * the same call again is not charged twice.
 */
export async function generateImage(
  ctx: Context,
  { prompt, response_format: format }: ToolArguments<'image_generation'>,
  { call, imageModel, holdId: turnId, toolCallId }: ToolRun,
): Promise<ToolOutcome> {
  if (imageModel === undefined) {
    return { output: toolError('INVALID_INPUT', 'no image_generation tool with a model is declared') };
  }
  const canLink = ctx.imageStorage !== undefined && ctx.config.publicBaseUrl !== undefined;
  if (format === 'url' && !canLink) {
    return { output: toolError('INVALID_INPUT', 'response_format url requires image storage; use b64_json') };
  }
  const model = findImageModel(ctx.catalog, imageModel);
  const admitted = await admitAttempt(ctx, turnId, toolCallId, model, call);
  if (admitted instanceof AppError) return { output: toToolError(admitted, call) };
  const { holdId, admission } = admitted;
  const isStored = format === 'url' || (format === undefined && canLink);
  const wish = { holdId, modelId: model.model_id, prompt, count: 1, isStored };
  const [image] = await generateImages(ctx, wish, call);
  return { ...toOutcome(ctx, model, image!), costMicrocents: priceOf(admission) };
}

/** An attempt that failed was released: the next one is a request of its own, or its image would be free. */
async function admitAttempt(
  ctx: Context,
  turnId: string,
  toolCallId: string,
  model: CatalogModel,
  call: Call,
): Promise<{ holdId: string; admission: Admission } | AppError> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const holdId = derivedId(turnId, toolCallId, ...(attempt === 0 ? [] : [String(attempt)]));
    const admission = await admit(ctx, { holdId, partOfHoldId: turnId }, model, call);
    if (admission instanceof AppError) return admission;
    if (!admission.wasReleased) return { holdId, admission };
  }
  return new AppError('CONFLICT', 'this call was tried too often');
}

/** A refusal is something the model may tell its user. */
async function admit(
  ctx: Context,
  ids: { holdId: string; partOfHoldId: string },
  model: CatalogModel,
  call: Call,
): Promise<Admission | AppError> {
  const request = { ...ids, kind: MeteredKind.IMAGES, model: model.model_id, images: 1 };
  const asked = ctx.billing.admit(request, call.with({ timeoutMs: ADMIT_TIMEOUT_MS }));
  const { decision } = await asked.catch((error: unknown) => {
    // Whether the request or the answer got lost is not known; nobody is kept waiting for the release.
    void release(ctx, ids.holdId, model, call);
    throw error;
  });
  if (decision.case === 'admitted') return decision.value;
  const { code = '', message = '' } = decision.value ?? {};
  return new AppError(isErrorCode(code) ? code : 'PAYMENT_REQUIRED', message);
}

/** Frees what may have been reserved for an image that nobody was asked for. */
async function release({ billing, logger }: Context, id: string, model: CatalogModel, call: Call): Promise<void> {
  const ending = { status: 499, success: false, errorCode: 'CANCELED', stopReason: 'canceled' };
  const facts = { modelId: model.model_id, ...ending };
  try {
    await billing.settle({ holdId: id, usage: {}, facts }, call.detached(RELEASE_TIMEOUT_MS));
  } catch (err) {
    logger.warn({ err, request_id: call.requestId }, 'the hold of an image is left to its expiry');
  }
}

/** The client gets the image; the model is told that there is one, for its bytes would fill its window. */
function toOutcome(ctx: Context, { model_id: model }: CatalogModel, image: MadeImage): ToolOutcome {
  const { id, mimeType: mime_type, bytes, fileToken } = image;
  const shared = { id, model, usage: { images: 1 } };
  if (fileToken !== '') {
    return { output: { ...shared, data: [{ id, url: imageUrl(ctx, image), mime_type }] } };
  }
  return {
    output: { ...shared, data: [{ id, b64_json: Buffer.from(bytes).toString('base64'), mime_type }] },
    modelOutput: { ...shared, data: [{ id, mime_type }], note: 'The image has been given to the user.' },
  };
}

function imageUrl({ config: { publicBaseUrl = '' } }: Context, { id, fileToken }: MadeImage): string {
  return `${publicBaseUrl.replace(/\/+$/, '')}/api/v1/images/${id}/file?token=${fileToken}`;
}

/** What the caller pays: the customer's price where there is a customer, else the provider's. */
function priceOf({ customerPrice, providerPrice }: Admission): bigint {
  return ((customerPrice ?? providerPrice)?.perImageCents ?? 0n) * MICROCENTS_PER_CENT;
}
