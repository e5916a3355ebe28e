import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { ListRoutesResponseSchema } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Context } from '../context.js';

/**
 * Returns the routes of text models to configured providers with their circuits. Media and images have no circuits: each
 * of their requests asks its routes in order.
 */
export function listRoutes(
  ctx: Pick<Context, 'catalog' | 'circuits' | 'providers'>,
): MessageInitShape<typeof ListRoutesResponseSchema> {
  const models = ctx.catalog.list({ capability: 'text' });
  const routes = models.flatMap(({ model_id: modelId, routes: all }) => {
    const configured = all.filter(({ provider }) => ctx.providers.has(provider as ProviderId));
    return configured.map(({ provider, upstream_model: upstreamModel }) => {
      const circuit = ctx.circuits.find({ provider, upstreamModel });
      return {
        modelId,
        provider,
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
