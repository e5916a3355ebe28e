import { endpoints } from '../../server/endpoints.js';
import { createApiKey } from './create-api-key.js';
import { deleteApiKey } from './delete-api-key.js';
import { apiKeyRoutesInProject } from './in-project.js';
import { listApiKeys } from './list-api-keys.js';
import { rotateApiKey } from './rotate-api-key.js';
import { updateApiKey } from './update-api-key.js';

export const apiKeyRouter = endpoints(
  listApiKeys,
  createApiKey,
  updateApiKey,
  rotateApiKey,
  deleteApiKey,
  ...apiKeyRoutesInProject,
);
