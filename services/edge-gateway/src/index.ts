export { configFromEnv, type EdgeConfig } from './config.js';
export { type EdgeOverrides, migrateEdgeGateway, type RunningEdge, startEdgeGateway } from './server.js';
