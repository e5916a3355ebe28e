import type { ProviderId } from '@tollgate/api/model-requests';
import { type CatalogModel, type RoutePrices, toConnectionId } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { Circuits } from '../../providers/circuits.js';
import type { Connections } from '../../providers/connections/connections.js';
import type { KeyPool } from '../../providers/connections/key-pool.js';
import type { OpenConnection } from '../../providers/connections/open-connection.js';

/** The kinds of work that connections do. */
type Offer = 'models' | 'images' | 'media' | 'realtime';

/** A model at a connection. */
export interface ConnectedRoute<Provider> {
  readonly provider: Provider;
  /** The id of the connection. */
  readonly connection: string;
  /** The model's name at the provider. */
  readonly upstreamModel: string;
  /** Its share of the requests, if they are distributed by weight. */
  readonly weight?: number | undefined;
  /** The keys of the connection. */
  readonly keys?: Pick<KeyPool, 'hasOther'> | undefined;
  /** Prices of the vendor here, where they differ from those of the model. */
  readonly prices?: RoutePrices | undefined;
  /** Of a connection of the project itself, which pays its provider: the circuits of the project's routes. */
  readonly ownCircuits?: Circuits | undefined;
}

/** The routes of a model whose connection this process has and that offers the work. `only`: of this provider. */
export function listConnectedRoutes<Kind extends Offer>(
  connections: Connections,
  model: CatalogModel,
  offer: Kind,
  only?: ProviderId,
): ConnectedRoute<NonNullable<OpenConnection[Kind]>>[] {
  return model.routes.flatMap((route) => {
    const connection = toConnectionId(route);
    const open = connections.find(connection);
    const provider = open?.[offer];
    if (!provider || (only !== undefined && provider.id !== only)) return [];
    const { upstream_model: upstreamModel, weight, prices } = route;
    return [{ provider, connection, upstreamModel, weight, prices, keys: open?.keys }];
  });
}

/** Like `listConnectedRoutes`. @throws AppError SERVICE_UNAVAILABLE without any */
export function findConnectedRoutes<Kind extends Offer>(
  connections: Connections,
  model: CatalogModel,
  offer: Kind,
  only?: ProviderId,
): ConnectedRoute<NonNullable<OpenConnection[Kind]>>[] {
  const routes = listConnectedRoutes(connections, model, offer, only);
  if (routes.length > 0) return routes;
  const names = [...new Set(model.routes.map(toConnectionId))].join(', ');
  throw new AppError('SERVICE_UNAVAILABLE', `no provider of model ${model.model_id} is configured (${names})`, {
    layer: 'routing',
    retryable: false,
  });
}
