import type { Route } from '../../exchange/route.js';
import { getCompatibleModel, getCompatibleModelOfProvider } from './get-compatible-model.js';
import { listCompatibleModels } from './list-compatible-models.js';
import { listModelRoutes } from './list-model-routes.js';
import { listModels } from './list-models.js';

export const modelRoutes: Route[] = [
  listModels,
  listModelRoutes,
  listCompatibleModels,
  getCompatibleModel,
  getCompatibleModelOfProvider,
];
