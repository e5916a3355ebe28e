import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { GenerateImagesResponse } from '@tollgate/contracts/inference/v1/images_pb.js';
import { AppError, asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { admit, release, underHold } from '@tollgate/spending';
import type { Context } from '../../../context.js';
import type { FormFile } from '../../exchange/body/form-body.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import type { RouteInput } from '../../exchange/route.js';
import {
  findModel,
  isUnable,
  noteOutcome,
  requireAdmitted,
  type Spender,
  type SpendingContext,
} from '../../turns/admit-turn.js';

/** Some models take minutes. */
export const IMAGES_TIMEOUT_MS = 300_000;

type Input = Pick<
  RouteInput<unknown, unknown, unknown>,
  'principal' | 'call' | 'ids' | 'record' | 'headers' | 'address'
>;

export interface ImagesRequest {
  /** The endpoint, and its answer to a model that the catalog does not have. */
  route: Spender['route'];
  model: string | undefined;
  prompt: string;
  images: number;
  /** `WIDTHxHEIGHT`; empty: the size of the price. */
  size: string;
  /** Whether the images are stored, and returned as URLs. */
  wantsUrls: boolean;
  /** Images to start from, with an optional mask. */
  edited?: { sources: readonly FormFile[]; mask: FormFile | undefined };
}

export interface RequestedImages {
  answer: Pick<GenerateImagesResponse, 'model' | 'data' | 'tokens'>;
  /** Set for images with URLs. */
  baseUrl: string | undefined;
}

/** Admits images, has them made, and releases the hold of a call that did not arrive. @throws AppError */
export async function requestImages(
  ctx: SpendingContext & Pick<Context, 'clients' | 'config'>,
  { principal, call, ids, record, headers }: Input,
  request: ImagesRequest,
): Promise<RequestedImages> {
  const { route, model, prompt, images: count, size, wantsUrls, edited } = request;
  if (model === undefined && principal.customerId === '') throw invalidImages('model', 'model is required');
  const audience = principal.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  const spender: Spender = { ctx, ids, audience, record, route };
  const baseUrl = wantsUrls ? publicBaseUrl(ctx, headers) : undefined;
  const modelId = await admitImages(spender, model, count, call);
  const isStored = baseUrl !== undefined;
  const images = { holdId: ids.holdId, modelId, modelName: model ?? modelId, prompt, count, isStored, size };
  const { images: service } = ctx.clients;
  const asked: Promise<RequestedImages['answer']> = edited
    ? service.editImages({ images, sources: [...edited.sources], mask: edited.mask }, call)
    : service.generateImages(images, call);
  return { answer: await underHold(ctx.ledger, ids, call, asked), baseUrl };
}

/** Holds funds for the images and returns the model that they are held for. @throws AppError for a refusal */
async function admitImages(spender: Spender, model: string | undefined, images: number, call: Call): Promise<string> {
  const { ctx, ids } = spender;
  const known = await findModel(ctx, model, call.requirePrincipal());
  const terms = { hold: ids, model, inputTokens: 0, maxOutputTokens: undefined, images };
  const outcome = await admit(ctx.ledger, terms, call);
  if (isUnable(outcome, known, 'image_generation')) {
    throw invalidImages('model', `${known.model_id} does not generate images`);
  }
  const named = { named: model, known };
  noteOutcome(spender, outcome, call, named);
  const { modelId } = requireAdmitted(spender, outcome, named).admission;
  if (!call.isAborted) return modelId;
  await release(ctx.ledger, ids, 'CANCELED', call);
  throw asAppError(call.signal.reason);
}

export function invalidImages(field: string, message: string): AppError {
  return new AppError('INVALID_INPUT', message, { fields: [{ field, message }] });
}
