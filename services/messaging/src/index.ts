export { type Config, configFromEnv } from './config.js';
export { messaging, startMessaging } from './server.js';
