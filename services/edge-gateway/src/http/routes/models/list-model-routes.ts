import { modelRoutesResponse } from '@tollgate/api/model-requests';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { timeJson } from '../customers/customer-json.js';

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
