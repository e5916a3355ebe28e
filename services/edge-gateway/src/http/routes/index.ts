import type { Route } from '../route.js';
import { accountRoutes } from './account/index.js';
import { agentsRoutes } from './agents/index.js';
import { apiKeyRoutes } from './api-keys/index.js';
import { authRoutes } from './auth/index.js';
import { customerRoutes } from './customers/index.js';
import { customerSelfServiceRoutes } from './customers-me/index.js';
import { messagesRoutes } from './messages/index.js';
import { modelRoutes } from './models/index.js';
import { projectRoutes } from './projects/index.js';
import { runsRoutes } from './runs/index.js';
import { stateHandlesRoutes } from './state-handles/index.js';
import { tierRoutes } from './tiers/index.js';
import { webhooksRoutes } from './webhooks/index.js';

/** Every endpoint that Express serves. The order does not matter: literal segments are matched before parameters. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...apiKeyRoutes,
  ...projectRoutes,
  ...accountRoutes,
  ...customerRoutes,
  ...customerSelfServiceRoutes,
  ...tierRoutes,
  ...webhooksRoutes,
  ...agentsRoutes,
  ...messagesRoutes,
  ...modelRoutes,
  ...stateHandlesRoutes,
  ...runsRoutes,
];
