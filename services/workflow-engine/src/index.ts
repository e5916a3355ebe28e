export { type Config, configFromEnv } from './config.js';
export { startWorkflow, workflowEngine } from './server.js';
