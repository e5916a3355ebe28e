import type { Catalog, CatalogModel } from '@tollgate/catalog';
import type { Admission } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { MICROCENTS_PER_CENT } from '@tollgate/money';
import type { Call } from '@tollgate/rpc';
import { admit, refusal } from '@tollgate/spending';
import { type ToolArguments, toolError } from '@tollgate/tools';
import { v5 } from 'uuid';
import type { Context } from '../context.js';
import type { ToolOutcome } from '../domain/turn-tools.js';
import { generateImages, type ImageContext, type MadeImage } from '../operations/images/generate-images.js';
import { toToolError } from './tool-failure.js';
import type { ToolRun } from './tool-run.js';

/** Limits the attempts of one tool call, over all of its repetitions. */
const ATTEMPTS_MAX = 16;

/**
 * `image_generation`: one image, admitted and settled as a request of its own whose id follows from the call's, so that
 * the same call again is not charged twice.
 */
export async function generateImage(
  ctx: ImageContext,
  { prompt, response_format: format }: ToolArguments<'image_generation'>,
  { call, imageModel, holdId: turnId, toolCallId, runId }: ToolRun,
): Promise<ToolOutcome> {
  if (imageModel === undefined) {
    return { output: toolError('INVALID_INPUT', 'no image_generation tool with a model is declared') };
  }
  const canLink = ctx.imageStorage !== undefined && ctx.config.publicBaseUrl !== undefined;
  if (format === 'url' && !canLink) {
    return { output: toolError('INVALID_INPUT', 'response_format url requires image storage; use b64_json') };
  }
  const model = findImageModel(ctx.catalog, imageModel);
  const admitted = await admitAttempt(ctx, { turnId, toolCallId, isRepeated: runId !== undefined }, model, call);
  if (admitted instanceof AppError) return { output: toToolError(admitted, call) };
  const { holdId, admission } = admitted;
  const isStored = format === 'url' || (format === undefined && canLink);
  const wish = { holdId, modelId: model.model_id, prompt, count: 1, isStored };
  const {
    images: [image],
  } = await generateImages(ctx, wish, call);
  return { ...toOutcome(ctx, model, image!), costMicrocents: readPrice(admission) };
}

/** An attempt that failed was released: the next one needs a hold of its own, or its image would be free. */
async function admitAttempt(
  ctx: Pick<Context, 'ledger'>,
  { turnId, toolCallId, isRepeated }: { turnId: string; toolCallId: string; isRepeated: boolean },
  { model_id: model }: CatalogModel,
  call: Call,
): Promise<{ holdId: string; admission: Admission } | AppError> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const holdId = derivedId(turnId, toolCallId, ...(attempt === 0 ? [] : [String(attempt)]));
    const terms = { model, inputTokens: 0, maxOutputTokens: undefined, images: 1, partOfHoldId: turnId };
    // The engine repeats a call of a run under the same id. A release of the lost answer could end the hold that it then uses.
    const outcome = await admit(ctx.ledger, { ...terms, hold: { holdId }, isResumable: isRepeated }, call);
    if (outcome.kind === 'refused') return refusal(outcome, 'project');
    if (!outcome.admission.wasReleased) return { holdId, admission: outcome.admission };
  }
  return new AppError('CONFLICT', 'this call was tried too often');
}

/** The client gets the image. The model gets a note instead of the bytes, which would fill its window. */
function toOutcome(ctx: Pick<Context, 'config'>, { model_id: model }: CatalogModel, image: MadeImage): ToolOutcome {
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

function imageUrl({ config: { publicBaseUrl = '' } }: Pick<Context, 'config'>, { id, fileToken }: MadeImage): string {
  return `${publicBaseUrl.replace(/\/+$/, '')}/api/v1/images/${id}/file?token=${fileToken}`;
}

/** Returns the price that the caller pays: the customer's price where there is a customer, else the provider's. */
function readPrice({ customerPrice, providerPrice }: Admission): bigint {
  return ((customerPrice ?? providerPrice)?.perImageCents ?? 0n) * MICROCENTS_PER_CENT;
}

const FIELD = 'tools.image_generation.model';

/** Returns the model of an image_generation tool. @throws AppError if it is unknown or does not generate images */
export function findImageModel(catalog: Catalog, name: string): CatalogModel {
  const model = catalog.find(name);
  if (!model) {
    const message = `unknown model: ${name}`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: FIELD, message }] });
  }
  if (model.capabilities.includes('image_generation')) return model;
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${name} lacks the capability image_generation`);
}

/** Namespace of ids derived from a request's id. Random; must never change. */
const NAMESPACE = '5f0c7f4e-2b5d-4f0f-a1d3-c8a9e7b61d42';

/** Returns a version 5 UUID (RFC 9562): the same parts always give the same id. */
export function derivedId(...parts: readonly string[]): string {
  return v5(JSON.stringify(parts), NAMESPACE);
}
