export { configFromEnv, type EdgeConfig } from './config.js';
export { edgeGateway, startEdgeGateway } from './server.js';
