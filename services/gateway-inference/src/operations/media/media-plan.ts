import type { CatalogModel, MediaKind } from '@tollgate/catalog';
import type { MediaAdmission } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { MediaProvider } from '../../providers/contract/media-provider.js';
import type { HeldPlan } from '../held-work/held-plan.js';
import { type ConnectedRoute, findConnectedRoutes } from '../held-work/routes.js';

export type MediaRoute = ConnectedRoute<MediaProvider>;

export interface MediaRequest {
  admission: MediaAdmission | undefined;
  kind: MediaKind;
  isStream: boolean;
}

/** A request that may start: everything that is decided before a provider is asked. */
export interface MediaPlan extends HeldPlan<MediaRoute> {
  readonly model: CatalogModel;
  /** The client's name of the model. */
  readonly modelName: string;
  /** The units that the hold covers, in the model's unit. */
  readonly held: { inputUnits: number; outputUnits: number };
}

/** @throws AppError for a request that is refused before any provider is asked */
export function planMedia(
  ctx: Pick<Context, 'catalog' | 'clock' | 'connections'>,
  { admission, kind, isStream }: MediaRequest,
  call: Call,
): MediaPlan {
  if (!admission) throw new AppError('INVALID_INPUT', 'the request was not admitted');
  const { holdId, modelId, modelName } = admission;
  const held = { inputUnits: Number(admission.inputUnits), outputUnits: Number(admission.outputUnits) };
  // The client's name of the model may narrow its routes to one provider.
  const named = ctx.catalog.find(modelName);
  const model = named?.model_id === modelId ? named : ctx.catalog.find(modelId);
  if (!model || model.serves !== kind) {
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${modelId} ${unsupported[kind]}`);
  }
  return {
    call,
    holdId,
    model,
    modelId: model.model_id,
    operation: kind,
    modelName: modelName || modelId,
    routes: findConnectedRoutes(ctx.connections, model, 'media'),
    held,
    delivery: isStream ? 'streamed' : 'whole',
    executionOrigin: 'provider',
    startedAt: ctx.clock.elapsed(),
  };
}

const unsupported: Record<MediaKind, string> = {
  embeddings: 'makes no embeddings',
  moderation: 'does not moderate',
  realtime: 'holds no conversations',
  speech: 'does not speak',
  transcription: 'does not transcribe',
};
