export { configFromEnv, type EdgeConfig } from './config.js';
export type { DemoOwner, DemoOwnerWish } from './operations/ensure-demo-owner.js';
export { type EdgeOverrides, migrateEdgeGateway, type RunningEdge, startEdgeGateway } from './server.js';
