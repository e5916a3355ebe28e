import type { ProviderId } from '@tollgate/api/model-requests';
import type { CatalogModel } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { ProjectConnections } from '../../providers/connections/own-connections.js';
import type { ConnectedRoute } from './find-routes.js';

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
