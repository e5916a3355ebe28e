export { type Config, configFromEnv } from './config.js';
export { gatewayInference, startInference } from './server.js';
