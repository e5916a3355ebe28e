import type { ProviderId } from '@tollgate/api';
import type { CatalogModel, MediaKind } from '@tollgate/catalog';
import type { MediaAdmission } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { MediaProvider } from '../../providers/contract/media-provider.js';

export interface MediaRoute {
  provider: MediaProvider;
  upstreamModel: string;
}

/** A call that may begin: everything that is decided before a provider is asked. */
export interface MediaPlan {
  holdId: string;
  model: CatalogModel;
  /** The client's name of the model. */
  modelName: string;
  routes: readonly MediaRoute[];
  /** What the hold covers, in the model's unit. */
  held: { inputUnits: number; outputUnits: number };
}

/** @throws AppError for a request that no provider is asked */
export function planMedia(ctx: Context, admission: MediaAdmission | undefined, kind: MediaKind): MediaPlan {
  if (!admission) throw new AppError('INVALID_INPUT', 'the request was not admitted');
  const { holdId, modelId, modelName } = admission;
  const held = { inputUnits: Number(admission.inputUnits), outputUnits: Number(admission.outputUnits) };
  // The client's own words may narrow the model's routes to one provider.
  const named = ctx.catalog.find(modelName);
  const model = named?.model_id === modelId ? named : ctx.catalog.find(modelId);
  if (!model || model.serves !== kind) {
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${modelId} ${doesNot[kind]}`);
  }
  return { holdId, model, modelName: modelName || modelId, routes: routesOf(ctx, model), held };
}

const doesNot: Record<MediaKind, string> = {
  embeddings: 'makes no embeddings',
  speech: 'does not speak',
  transcription: 'does not transcribe',
};

function routesOf(ctx: Context, model: CatalogModel): MediaRoute[] {
  const routes = model.routes.flatMap(({ provider: id, upstream_model: upstreamModel }) => {
    const provider = ctx.mediaProviders.get(id as ProviderId);
    return provider ? [{ provider, upstreamModel }] : [];
  });
  if (routes.length > 0) return routes;
  throw new AppError('SERVICE_UNAVAILABLE', `no provider of model ${model.model_id} is configured`, {
    layer: 'routing',
    retryable: false,
  });
}
