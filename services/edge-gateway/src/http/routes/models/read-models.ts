import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Model } from '@tollgate/api/model-requests';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { ListModelsRequestSchema } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

/** Returns the catalog's models; for a customer, those of its tier. `principal` is absent without a credential. */
export async function readModels(
  ctx: Pick<Context, 'clients' | 'tierLimits'>,
  call: Call,
  principal: Principal | undefined,
  filter: MessageInitShape<typeof ListModelsRequestSchema> = {},
): Promise<Model[]> {
  const { modelsJson } = await ctx.clients.inference.listModels(filter, call);
  const models = JSON.parse(Buffer.from(modelsJson).toString('utf8')) as Model[];
  if (principal?.kind !== PrincipalKind.CUSTOMER) return models;
  const { models: ofTier } = await ctx.tierLimits.find(principal);
  if (!ofTier) throw new AppError('SERVICE_UNAVAILABLE', 'the models of the tier are temporarily unavailable');
  return models.filter(({ model_id: id }) => ofTier.has(id));
}
