export { type Config, configFromEnv } from './config.js';
export { type HooksOverrides, migrateHooks, type RunningHooks, startHooks } from './server.js';
