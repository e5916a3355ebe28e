import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ProviderId } from '@tollgate/api/model-requests';
import { type CatalogModel, type RoutePrices, toConnectionId } from '@tollgate/catalog';
import type { RouteAttemptSchema } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import { elapsed } from '@tollgate/runtime';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { Circuits } from '../../providers/circuits.js';
import type { Connections } from '../../providers/connections/connections.js';
import type { KeyPool } from '../../providers/connections/key-pool.js';
import type { OpenConnection } from '../../providers/connections/open-connection.js';
import type { ProjectConnections } from '../../providers/connections/own-connections.js';

/** The kinds of work that connections do. */
type Offer = 'models' | 'images' | 'media' | 'realtime';

/** One provider that can do the work. */
export interface HeldRoute {
  readonly provider: { readonly id: ProviderId };
  /** The id of the connection. */
  readonly connection: string;
  /** The model's name at the provider. */
  readonly upstreamModel: string;
  /** The keys of the connection; absent if it has none to choose from. */
  readonly keys?: Pick<KeyPool, 'hasOther'> | undefined;
  /** Present of a connection of the project itself: the owner account is not charged for its provider. */
  readonly ownCircuits?: object | undefined;
}

/** A model at a connection. */
export interface ConnectedRoute<Provider extends HeldRoute['provider']> extends HeldRoute {
  readonly provider: Provider;
  /** Its share of the requests, if they are distributed by weight. */
  readonly weight?: number | undefined;
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

type TextProvider = ProjectConnections['list'][number]['open']['models'];

/** The connections of the project that a request may use. */
export interface OwnRouting {
  readonly connections: ProjectConnections;
  /** The hold covers no others. */
  readonly isOnly: boolean;
}

/**
 * Returns the routes of a model through the connections of its project, then those of the installation, then those of the project
 * that fail. `only`: of this provider.
 *
 * @throws AppError SERVICE_UNAVAILABLE without any
 */
export function withOwnRoutes(
  { connections: { list, circuits }, isOnly }: OwnRouting,
  model: Pick<CatalogModel, 'model_id'>,
  only: ProviderId | undefined,
  listOthers: () => readonly ConnectedRoute<TextProvider>[],
): readonly ConnectedRoute<TextProvider>[] {
  const own = list.flatMap(({ name, models, open }) => {
    const upstreamModel = models.get(model.model_id);
    const provider = open.models;
    if (upstreamModel === undefined || (only !== undefined && provider.id !== only)) return [];
    return [{ provider, connection: name, upstreamModel, keys: open.keys, ownCircuits: circuits }];
  });
  const { used, avoided } = circuits.divide(own);
  if (!isOnly) return own.length === 0 ? listOthers() : [...used, ...tryList(listOthers), ...avoided];
  if (own.length > 0) return [...used, ...avoided];
  // The connection was deleted, or cannot be used, since the request was admitted.
  throw new AppError('SERVICE_UNAVAILABLE', `model ${model.model_id} is not available at present`, {
    layer: 'routing',
  });
}

/** Without a route of the installation, those of the project are the only ones. */
function tryList<Item>(listItems: () => readonly Item[]): readonly Item[] {
  try {
    return listItems();
  } catch {
    return [];
  }
}

type RouteAttempt = MessageInitShape<typeof RouteAttemptSchema>;

/** A tool loop may make more calls; the last one replaces the one before. */
const ATTEMPTS_MAX = 20;

/** Collects the calls to providers of one request, for reports. */
export class RouteAttempts {
  readonly #list: RouteAttempt[] = [];
  #askedAtMs: number | undefined;

  get list(): RouteAttempt[] {
    return this.#list;
  }

  ask({ provider, connection, upstreamModel, ownCircuits }: HeldRoute): void {
    this.#askedAtMs = elapsed();
    if (this.#list.length === ATTEMPTS_MAX) this.#list.pop();
    this.#list.push({ provider: provider.id, connection, upstreamModel, ...(ownCircuits && { isOwn: true }) });
  }

  /** Does nothing when no attempt is open. */
  end(outcome: 'answered' | 'failed' | 'canceled' | 'skipped', failure?: ProviderFailure): void {
    const attempt = this.#list.at(-1);
    if (this.#askedAtMs === undefined || !attempt) return;
    attempt.outcome = outcome;
    attempt.durationMs = Math.round(elapsed() - this.#askedAtMs);
    if (failure) {
      attempt.failure = failure.kind;
      attempt.status = failure.status ?? 0;
    }
    this.#askedAtMs = undefined;
  }
}
