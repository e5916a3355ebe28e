import type { Route } from '../exchange/route.js';
import { type EndpointRouter, listRoutes } from '../server/endpoints.js';
import { accountRouter } from './account/index.js';
import { agentRouter } from './agents/index.js';
import { apiKeyRouter } from './api-keys/index.js';
import { authRouter } from './auth/index.js';
import { batchRouter } from './batches/index.js';
import { conversationRouter } from './compatible/conversations/index.js';
import { compatibleRouter } from './compatible/index.js';
import { connectionRouter } from './connections/index.js';
import { customerRouter } from './customers/index.js';
import { googleRouter } from './google/index.js';
import { imageRouter } from './images/index.js';
import { mcpRouter } from './mcp/index.js';
import { mcpServerRouter } from './mcp-servers/index.js';
import { memberRouter } from './members/index.js';
import { messageRouter } from './messages/index.js';
import { modelRouter } from './models/index.js';
import { paymentRouter } from './payments/index.js';
import { pluginRouter } from './plugins/index.js';
import { portalRouter } from './portal/index.js';
import { projectRouter } from './projects/index.js';
import { realtimeRouter } from './realtime/index.js';
import { requestRouter } from './requests/index.js';
import { responseRouter } from './responses/index.js';
import { runRouter } from './runs/index.js';
import { sessionRouter } from './sessions/index.js';
import { sqlProfileRouter } from './sql-profiles/index.js';
import { stateHandleRouter } from './state-handles/index.js';
import { statementRouter } from './statements/index.js';
import { statusRouter } from './status/index.js';
import { tierRouter } from './tiers/index.js';
import { toolHookRouter } from './tool-hooks/index.js';
import { webhookRouter } from './webhooks/index.js';
import { workflowRouter } from './workflows/index.js';

/**
 * Every endpoint that Express serves. The order of two folders counts where one has a literal segment and the other one a parameter:
 * the folder with the literal comes first (index.db.test.ts).
 */
export const routers: readonly EndpointRouter[] = [
  authRouter,
  apiKeyRouter,
  projectRouter,
  memberRouter,
  accountRouter,
  customerRouter,
  portalRouter,
  requestRouter,
  statementRouter,
  tierRouter,
  paymentRouter,
  connectionRouter,
  toolHookRouter,
  mcpServerRouter,
  webhookRouter,
  agentRouter,
  mcpRouter,
  messageRouter,
  modelRouter,
  responseRouter,
  compatibleRouter,
  conversationRouter,
  realtimeRouter,
  batchRouter,
  googleRouter,
  imageRouter,
  stateHandleRouter,
  sessionRouter,
  sqlProfileRouter,
  runRouter,
  workflowRouter,
  pluginRouter,
  statusRouter,
];

/** Their declarations. */
export const routes: readonly Route[] = listRoutes(routers);
