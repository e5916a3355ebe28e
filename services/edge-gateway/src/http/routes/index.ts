import { withOwnerSessions } from '../exchange/owner-sessions.js';
import type { Route } from '../exchange/route.js';
import { accountRoutes } from './account/index.js';
import { agentsRoutes } from './agents/index.js';
import { apiKeyRoutes } from './api-keys/index.js';
import { authRoutes } from './auth/index.js';
import { batchRoutes } from './batches/index.js';
import { compatibleRoutes } from './compatible/index.js';
import { customerRoutes } from './customers/index.js';
import { customerSelfServiceRoutes } from './customers-me/index.js';
import { googleRoutes } from './google/index.js';
import { imageRoutes } from './images/index.js';
import { mcpRoutes } from './mcp/index.js';
import { mcpServersRoutes } from './mcp-servers/index.js';
import { memberRoutes } from './members/index.js';
import { messagesRoutes } from './messages/index.js';
import { modelRoutes } from './models/index.js';
import { paymentRoutes } from './payments/index.js';
import { pluginsRoutes } from './plugins/index.js';
import { portalRoutes } from './portal/index.js';
import { projectRoutes } from './projects/index.js';
import { realtimeRoutes } from './realtime/index.js';
import { requestRoutes } from './requests/index.js';
import { responsesRoutes } from './responses/index.js';
import { runsRoutes } from './runs/index.js';
import { sessionsRoutes } from './sessions/index.js';
import { skillsRoutes } from './skills/index.js';
import { sqlRoutes } from './sql/index.js';
import { sqlProfilesRoutes } from './sql-profiles/index.js';
import { stateHandlesRoutes } from './state-handles/index.js';
import { statementRoutes } from './statements/index.js';
import { statusRoutes } from './status/index.js';
import { tierRoutes } from './tiers/index.js';
import { toolHooksRoutes } from './tool-hooks/index.js';
import { webhooksRoutes } from './webhooks/index.js';
import { workflowRoutes } from './workflows/index.js';

/** Every endpoint that Express serves. The order is irrelevant: literal segments match before parameters. */
export const routes: readonly Route[] = withOwnerSessions([
  ...authRoutes,
  ...apiKeyRoutes,
  ...projectRoutes,
  ...memberRoutes,
  ...accountRoutes,
  ...customerRoutes,
  ...customerSelfServiceRoutes,
  ...portalRoutes,
  ...requestRoutes,
  ...statementRoutes,
  ...tierRoutes,
  ...paymentRoutes,
  ...toolHooksRoutes,
  ...mcpServersRoutes,
  ...webhooksRoutes,
  ...agentsRoutes,
  ...mcpRoutes,
  ...messagesRoutes,
  ...modelRoutes,
  ...responsesRoutes,
  ...compatibleRoutes,
  ...realtimeRoutes,
  ...batchRoutes,
  ...googleRoutes,
  ...imageRoutes,
  ...stateHandlesRoutes,
  ...sessionsRoutes,
  ...sqlProfilesRoutes,
  ...sqlRoutes,
  ...runsRoutes,
  ...workflowRoutes,
  ...pluginsRoutes,
  ...skillsRoutes,
  ...statusRoutes,
]);
