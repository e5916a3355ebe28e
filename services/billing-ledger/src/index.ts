export { type Config, configFromEnv } from './config.js';
export { billingLedger, startBilling } from './server.js';
