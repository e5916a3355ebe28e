import { endpoints } from '../../server/endpoints.js';
import { getCompatibleModel, getCompatibleModelOfProvider, listCompatibleModels } from './compatible-models.js';
import { listModelRoutes, listModels } from './models.js';

export const modelRouter = endpoints(
  listModels,
  listModelRoutes,
  listCompatibleModels,
  getCompatibleModel,
  getCompatibleModelOfProvider,
);
