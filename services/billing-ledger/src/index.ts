export { type Config, configFromEnv } from './config.js';
export { type BillingOverrides, migrateBilling, type RunningBilling, startBilling } from './server.js';
