import { endpoints } from '../../server/endpoints.js';
import {
  apiKeyRoutesInProject,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  rotateApiKey,
  updateApiKey,
} from './api-keys.js';

export const apiKeyRouter = endpoints(
  listApiKeys,
  createApiKey,
  updateApiKey,
  rotateApiKey,
  deleteApiKey,
  ...apiKeyRoutesInProject,
);
