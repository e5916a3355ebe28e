import type { IncomingHttpHeaders } from 'node:http';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { listModelsQuery, listModelsResponse, type Model, modelRoutesResponse } from '@tollgate/api/model-requests';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { ListModelsRequestSchema } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import { type AuthenticationContext, authenticate } from '../../../auth/authenticate.js';
import { requireProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import { defineRoute } from '../../exchange/route.js';
import { timeJson } from '../to-json.js';

export const listModels = defineRoute({
  method: 'GET',
  path: '/models',
  tag: 'Model responses',
  summary: "List models with their capabilities and prices; with a customer's token, those of its tier",
  operationId: 'listModels',
  description: 'Prices are in cents per million tokens.',
  auth: 'none',
  query: listModelsQuery,
  success: { status: 200, schema: listModelsResponse },
  async handler({ query, call, headers }, ctx) {
    const filter = { provider: query.provider ?? '', capability: query.capability ?? '' };
    return { body: { models: await readModels(ctx, call, await findReader(headers, ctx), filter) } };
  },
});

/** The list is public, so an invalid credential is ignored. */
async function findReader(headers: IncomingHttpHeaders, ctx: AuthenticationContext): Promise<Principal | undefined> {
  if (headers.authorization === undefined) return undefined;
  return await authenticate(headers, ctx).catch((error: unknown) => {
    if (isAppError(error) && error.status < 500) return undefined;
    throw error;
  });
}

export const listModelRoutes = defineRoute({
  method: 'GET',
  path: '/projects/:id/model-routes',
  tag: 'Model responses',
  summary: 'List the routes of the models with the state of their circuits',
  operationId: 'listModelRoutes',
  description:
    'A model is served by its first route whose circuit is closed. Routes belong to the deployment, and so do their circuits: ' +
    'they count the failures of all projects. Each replica has circuits of its own; the answer is that of one of them.',
  auth: ['owner', 'secret_key'],
  params: z.object({ id: z.string() }),
  success: { status: 200, schema: modelRoutesResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const answer = ctx.clients.inference.listRoutes({}, input.call.with({ principal }));
    const { routes } = await answer;
    return {
      body: {
        routes: routes.map((route) => ({
          model_id: route.modelId,
          provider: route.provider,
          upstream_model: route.upstreamModel,
          circuit: route.circuit,
          failures: route.failures,
          since: timeJson(route.since),
          next_probe_at: timeJson(route.nextProbeAt),
        })),
      },
    };
  },
});

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
