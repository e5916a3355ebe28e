import { endpoints } from '../../server/endpoints.js';
import { getCompatibleModel, getCompatibleModelOfProvider } from './get-compatible-model.js';
import { listCompatibleModels } from './list-compatible-models.js';
import { listModelRoutes } from './list-model-routes.js';
import { listModels } from './list-models.js';

export const modelRouter = endpoints(
  listModels,
  listModelRoutes,
  listCompatibleModels,
  getCompatibleModel,
  getCompatibleModelOfProvider,
);
