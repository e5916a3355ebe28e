import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ListRoutesResponseSchema } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Context } from '../context.js';
import { listConnectedRoutes } from './held-work/routes.js';

/**
 * Returns the routes of text models to configured providers with their circuits. Media and images have no circuits: each
 * of their requests asks its routes in order.
 */
export function listRoutes(
  ctx: Pick<Context, 'catalog' | 'circuits' | 'connections'>,
): MessageInitShape<typeof ListRoutesResponseSchema> {
  const models = ctx.catalog.list({ capability: 'text' });
  const routes = models.flatMap((model) => {
    return listConnectedRoutes(ctx.connections, model, 'models').map(({ provider, connection, upstreamModel }) => {
      const circuit = ctx.circuits.find({ connection, upstreamModel });
      return {
        modelId: model.model_id,
        provider: provider.id,
        connection,
        upstreamModel,
        circuit: circuit?.state ?? 'closed',
        failures: circuit?.failures ?? 0,
        ...(circuit?.sinceMs !== undefined && { since: timestampFromMs(circuit.sinceMs) }),
        ...(circuit?.nextProbeMs !== undefined && { nextProbeAt: timestampFromMs(circuit.nextProbeMs) }),
      };
    });
  });
  return { routes };
}
