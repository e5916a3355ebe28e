export { type Config, configFromEnv } from './config.js';
export { type MessagingOverrides, migrateMessaging, type RunningMessaging, startMessaging } from './server.js';
