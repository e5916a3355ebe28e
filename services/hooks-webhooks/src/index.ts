export { type Config, configFromEnv } from './config.js';
export { hooksWebhooks, startHooks } from './server.js';
